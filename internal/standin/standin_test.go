package standin

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var script = Script{
	{Tool: "Bash", Input: map[string]any{"command": "ls"}},
	{Tool: "Read", Input: map[string]any{"file_path": "/src/x/y.go"}},
	{Text: "all done"},
}

const tools = `"tools":[{"name":"Bash"},{"name":"Read"},{"type":"web_search","name":"web_search"}]`

// post sends a request body and returns status and answer.
func post(t *testing.T, url, body string) (int, []byte) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, got
}

// answered is an answer as an agent sees it.
type answered struct {
	Content []struct {
		Type, ID, Name, Text string
		Input                map[string]any
	}
	StopReason string `json:"stop_reason"`
}

func ask(t *testing.T, url, messages, tools string) answered {
	t.Helper()
	status, body := post(t, url+"/v1/messages?beta=true", `{"model":"m","messages":[`+messages+`],`+tools+`}`)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
	var a answered
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	if len(a.Content) != 1 {
		t.Fatalf("want one block: %s", body)
	}
	return a
}

func serve(t *testing.T, script Script) (*Server, string) {
	t.Helper()
	s := New(script)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return s, srv.URL
}

const (
	user      = `{"role":"user","content":"go"}`
	assistant = `{"role":"assistant","content":[{"type":"text","text":"x"}]}`
)

func result(id, content, isError string) string {
	return `{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + id + `","content":` + content + `,"is_error":` + isError + `}]}`
}

func TestScriptIsPlayedAndResultsAreKept(t *testing.T) {
	s, url := serve(t, script)

	first := ask(t, url, user, tools)
	if first.Content[0].Name != "Bash" || first.StopReason != "tool_use" {
		t.Errorf("first answer: %+v", first)
	}
	if diff := cmp.Diff(map[string]any{"command": "ls"}, first.Content[0].Input); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
	history := user + "," + assistant + "," + result(first.Content[0].ID, `"a b"`, "false")
	second := ask(t, url, history, tools)
	history += "," + assistant + "," + result(second.Content[0].ID, `[{"type":"text","text":"no"},{"type":"image"}]`, "true")
	third := ask(t, url, history, tools)
	if third.Content[0].Text != "all done" || third.StopReason != "end_turn" {
		t.Errorf("third answer: %+v", third)
	}
	last := ask(t, url, history+","+assistant+","+user, tools)
	if last.Content[0].Text != "done" {
		t.Errorf("after the script: %+v", last)
	}
	want := []Result{
		{Turn: 0, Tool: "Bash", Text: "a b"},
		{Turn: 1, Tool: "Read", Text: "no\n[image]", IsError: true},
	}
	if diff := cmp.Diff(want, s.Results()); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestOtherRequestsTakeNoStep(t *testing.T) {
	for name, c := range map[string]struct{ messages, tools, want string }{
		"no tools, as for titles":    {user, `"tools":[]`, "ok"},
		"tools absent":               {user, `"max_tokens":1`, "ok"},
		"other tools":                {user, `"tools":[{"name":"web_search"}]`, "the script calls Bash, which the agent does not offer"},
		"unknown roles are no turns": {user + `,{"role":"system","content":[{"type":"text","text":"x"}]}`, tools, ""},
		"content of unknown form":    {`{"role":"user","content":{"a":[1]}},{"role":"user"}`, tools, ""},
		"blocks of unknown type":     {`{"role":"user","content":[{"type":"new","source":{"a":1}}]}`, tools, ""},
		"a result that is not ours":  {user + "," + result("toolu_0000_0001", `"x"`, "false"), tools, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, url := serve(t, script)
			if got := ask(t, url, c.messages, c.tools).Content[0].Text; got != c.want {
				t.Errorf("text %q, want %q", got, c.want)
			}
			if got := ask(t, url, user, tools).Content[0].Name; got != "Bash" {
				t.Errorf("the next step is %q, want Bash", got)
			}
			if got := s.Results(); len(got) != 0 {
				t.Errorf("results: %+v", got)
			}
		})
	}
}

func TestRepeatedRequestGetsTheSameStep(t *testing.T) {
	s, url := serve(t, script)
	a, b := ask(t, url, user, tools), ask(t, url, user, tools)
	if a.Content[0].Name != "Bash" || b.Content[0].Name != "Bash" {
		t.Fatalf("answers %+v and %+v", a, b)
	}
	if a.Content[0].ID == b.Content[0].ID {
		t.Error("both calls have the same id")
	}
	history := user + "," + assistant + "," + result(b.Content[0].ID, `"x"`, "false")
	ask(t, url, history, tools)
	ask(t, url, history, tools)
	if diff := cmp.Diff([]Result{{Tool: "Bash", Text: "x"}}, s.Results()); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}

func TestConcurrentConversations(t *testing.T) {
	s, url := serve(t, script)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			a := ask(t, url, user, tools)
			ask(t, url, user+","+assistant+","+result(a.Content[0].ID, `"x"`, "false"), tools)
		})
	}
	wg.Wait()
	if got := len(s.Results()); got != 16 {
		t.Errorf("%d results, want 16", got)
	}
}

func TestStreamSaysTheSame(t *testing.T) {
	_, url := serve(t, script)
	status, body := post(t, url+"/v1/messages", `{"model":"m","stream":true,"messages":[`+user+`],`+tools+`}`)
	if status != http.StatusOK {
		t.Fatalf("status %d: %s", status, body)
	}
	var kinds []string
	var input string
	for _, part := range bytes.Split(bytes.TrimSpace(body), []byte("\n\n")) {
		head, data, ok := bytes.Cut(part, []byte("\ndata: "))
		var e struct {
			Type    string
			Message *struct{ Content []any }
			Delta   struct {
				PartialJSON string `json:"partial_json"`
				StopReason  string `json:"stop_reason"`
			}
		}
		if err := json.Unmarshal(data, &e); !ok || err != nil || string(head) != "event: "+e.Type {
			t.Fatalf("event %q: %v", part, err)
		}
		if e.Message != nil && (e.Message.Content == nil || len(e.Message.Content) != 0) {
			t.Errorf("message_start content %v, want []", e.Message.Content)
		}
		kinds = append(kinds, strings.TrimSuffix(e.Type+" "+e.Delta.StopReason, " "))
		input += e.Delta.PartialJSON
	}
	want := []string{
		"message_start", "content_block_start", "content_block_delta", "content_block_stop",
		"message_delta tool_use", "message_stop",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	if input != `{"command":"ls"}` {
		t.Errorf("input %s", input)
	}
}

func TestOtherEndpoints(t *testing.T) {
	_, url := serve(t, nil)
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"HEAD", "/", "", 200},
		{"GET", "/v1/models", "", 404},
		{"POST", "/v1/messages/count_tokens", "{}", 200},
		{"POST", "/v1/messages", "{", 400},
		{"POST", "/v1/other", "{}", 404},
	} {
		req, err := http.NewRequest(c.method, url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != c.status {
			t.Errorf("%s %s: status %d, want %d", c.method, c.path, res.StatusCode, c.status)
		}
	}
}
