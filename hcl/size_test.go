package hcl

import "testing"

func TestReadSize(t *testing.T) {
	for written, want := range map[string]struct {
		bytes int64
		form  string
		ok    bool
	}{
		"2GiB":               {2 << 30, "2GiB", true},
		"1024MiB":            {1 << 30, "1GiB", true},
		"1536MiB":            {1536 << 20, "1536MiB", true},
		"4KiB":               {4 << 10, "4KiB", true},
		"1TiB":               {1 << 40, "1TiB", true},
		"2GB":                {2 << 30, "2GiB", false},
		"2g":                 {2 << 30, "2GiB", false},
		"2 GiB":              {2 << 30, "2GiB", false},
		"1.5GiB":             {1536 << 20, "1536MiB", false},
		"2147483648":         {2 << 30, "2GiB", false},
		"2147483649":         {2<<30 + 1, "2097153KiB", false},
		"512b":               {512, "1KiB", false},
		"2665666.56TB":       {},
		"100000000000000TiB": {},
		"1e3MiB":             {}, "GiB": {}, "": {}, "-1GiB": {}, "1XiB": {}, "1 G iB": {}, "0x10MiB": {}, "١GiB": {},
		"9999999999999999GiB": {},
	} {
		bytes, form, ok := readSize(written)
		if bytes != want.bytes || form != want.form || ok != want.ok {
			t.Errorf("%q: %d, %q, %t", written, bytes, form, ok)
		}
	}
}

// FuzzSize holds that the form that is proposed is one that is read, and that it
// is no smaller than what was written.
func FuzzSize(f *testing.F) {
	for _, s := range []string{"2GiB", "2GB", "1.5GiB", "2147483649", "1.000001k"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		bytes, form, ok := readSize(s)
		if form == "" {
			if ok {
				t.Errorf("%q is read and has no form", s)
			}
			return
		}
		again, same, fine := readSize(form)
		if !fine || same != form || again < bytes || again-bytes > 1<<10 {
			t.Errorf("%q is %d, its form %q is %d", s, bytes, form, again)
		}
	})
}
