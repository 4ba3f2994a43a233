package launcher

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func connPair(t testing.TB) (a, b conn) {
	t.Helper()
	a, b, err := newConn()
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestControlRoundTrip(t *testing.T) {
	a, b := connPair(t)
	defer b.close()
	f := open(t, os.DevNull, os.O_RDONLY)
	long := Plan{Workspace: strings.Repeat("x", 1<<20)} // more than a socket holds
	go func() {
		a.send(wordOrder, long)
		a.send(wordListener, 7, int(f.Fd()))
		a.send(wordReady, nil)
		a.close()
	}()
	var got Plan
	if _, err := b.expect(wordOrder, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(long, got); diff != "" {
		t.Error(diff)
	}
	var i int
	fr, err := b.expect(wordListener, &i)
	if err != nil || i != 7 {
		t.Fatalf("%d, %v", i, err)
	}
	flags, err := unix.FcntlInt(uintptr(fr.fd), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 || !sameFile(f, os.NewFile(uintptr(fr.fd), "passed")) {
		t.Errorf("the descriptor came as %d with flags %d, %v", fr.fd, flags, err)
	}
	if fr, err := b.expect(wordReady, nil); err != nil || fr.fd != -1 {
		t.Errorf("%+v, %v", fr, err)
	}
	if _, err := b.receive(); err != io.EOF {
		t.Errorf("after the end: %v", err)
	}
}

func TestControlRefuses(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes string
		words string
	}{
		{"another word", "\x03\x00\x00\x00\x00", "word 3 where 1 was due"},
		{"cut in the header", "\x01\x00", "unexpected EOF"},
		{"cut in the body", "\x01\x05\x00\x00\x00{}", "unexpected EOF"},
		{"too long", "\x01\xff\xff\xff\xff", "4294967295 bytes"},
		{"not JSON", "\x01\x01\x00\x00\x00{", "decode control message"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := connPair(t)
			defer b.close()
			if _, err := unix.Write(a.fd, []byte(tt.bytes)); err != nil {
				t.Fatal(err)
			}
			a.close()
			if _, err := b.expect(wordOrder, &Plan{}); err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func FuzzControl(f *testing.F) {
	f.Add([]byte("\x01\x02\x00\x00\x00{}"))
	f.Add([]byte("\x01\x05\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<16 {
			return
		}
		a, b := connPair(t)
		defer b.close()
		if _, err := unix.Write(a.fd, in); err != nil {
			t.Fatal(err)
		}
		a.close()
		var out bytes.Buffer
		for {
			fr, err := b.receive()
			if err != nil {
				break
			}
			n := len(fr.body)
			out.Write([]byte{byte(fr.word), byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
			out.Write(fr.body)
		}
		if !bytes.HasPrefix(in, out.Bytes()) {
			t.Errorf("%q was read as %q", in, out.Bytes())
		}
	})
}

// An error keeps its errno on its way out of the sandbox, and its words.
func TestErrorsFromInside(t *testing.T) {
	cause := &os.PathError{Op: "open", Path: "/x", Err: syscall.EROFS}
	e := newFailure("mount", "spec.hcl:1:2", cause).setupError()
	if !errors.Is(e, syscall.EROFS) || e.Error() != "spec.hcl:1:2: set up mount: open /x: read-only file system" {
		t.Errorf("%v", e)
	}
	if e := newFailure("plan", "", errors.New("no")).setupError(); errors.As(e, new(syscall.Errno)) || e.Error() != "set up plan: no" {
		t.Errorf("%v", e)
	}
}
