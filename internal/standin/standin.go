// Package standin stands in for the Anthropic Messages API, so that a real
// agent can be driven without a network: the script says what the model would
// have answered, turn by turn, and what the agent's tools returned is kept.
//
// It promises the part of the protocol that Claude Code uses: messages, plain
// and streamed, token counts and the reachability probe. It checks no key,
// counts no tokens and knows no model; it is no test of the agent itself.
package standin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxRequest bounds one request, in bytes. The API's own limit is 32 MB.
const maxRequest = 32 << 20

// Turn is one answer of the model: a call of Tool with Input, or, where Tool
// is empty, the text Text, which ends the agent's turn.
type Turn struct {
	Tool  string         // as the agent offers it, such as "Bash"
	Input map[string]any // arguments of the tool
	Text  string
}

// Script is what the model answers, in order. When a conversation has come to
// its end the answer is the text "done".
type Script []Turn

// Result is what a tool returned for one turn.
type Result struct {
	Turn    int    // index in the script
	Tool    string // the tool that was called
	Text    string // text parts joined by newlines; other parts as "[type]"
	IsError bool   // as the agent reported it
}

// Server plays a script to every conversation.
//
// Where a conversation stands is read from the conversation itself, so a
// request that is sent twice gets the same answer, and conversations do not
// disturb each other.
type Server struct {
	script Script
	http   *http.Server

	mu      sync.Mutex
	issued  int            // answers given, to make ids unique
	calls   map[string]int // id of an issued tool call → turn
	results []Result
	seen    map[string]bool // ids of tool calls whose result is kept
}

// New returns a server that plays the script. Serve starts it.
func New(script Script) *Server {
	s := &Server{script: script, calls: map[string]int{}, seen: map[string]bool{}}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	return s
}

// Serve answers on l until Close, then returns nil.
func (s *Server) Serve(l net.Listener) error {
	if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve model: %w", err)
	}
	return nil
}

// Close stops the server and every answer under way.
func (s *Server) Close() error { return s.http.Close() }

// Results returns what the tools have returned so far, each call once, in the
// order in which the results arrived.
func (s *Server) Results() []Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Result(nil), s.results...)
}

// ServeHTTP answers one request of the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodHead:
		w.WriteHeader(http.StatusOK)
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages":
		s.messages(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/v1/messages/count_tokens":
		writeJSON(w, http.StatusOK, map[string]any{"input_tokens": 1})
	default:
		writeError(w, http.StatusNotFound, "not_found_error", r.Method+" "+r.URL.Path)
	}
}

func (s *Server) messages(w http.ResponseWriter, r *http.Request) {
	var req request
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&req); err != nil {
		writeError(w, http.StatusBadRequest, "invalid_request_error", err.Error())
		return
	}
	s.keep(req)
	msg := s.answer(req)
	if !req.Stream {
		writeJSON(w, http.StatusOK, msg)
		return
	}
	stream(w, msg)
}

// keep records the results of calls that this server issued. Every request
// repeats the whole conversation, so each id counts once.
func (s *Server) keep(req request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range req.Messages {
		for _, b := range m.blocks() {
			turn, ours := s.calls[b.ToolUseID]
			if b.Type != "tool_result" || !ours || s.seen[b.ToolUseID] {
				continue
			}
			s.seen[b.ToolUseID] = true
			s.results = append(s.results, Result{
				Turn: turn, Tool: s.script[turn].Tool, Text: b.text(), IsError: b.IsError,
			})
		}
	}
}

// answer returns the turn at which the conversation stands. Agents also ask for
// titles, summaries and suggestions, without tools or with other ones; those
// requests get a text, never a step of the script.
func (s *Server) answer(req request) message {
	turn := req.turn()
	switch {
	case len(req.Tools) == 0:
		return s.message(req, block{Type: "text", Text: "ok"})
	case turn >= len(s.script):
		return s.message(req, block{Type: "text", Text: "done"})
	case s.script[turn].Tool == "":
		return s.message(req, block{Type: "text", Text: s.script[turn].Text})
	case !req.offers(s.script[turn].Tool):
		return s.message(req, block{Type: "text", Text: fmt.Sprintf(
			"the script calls %s, which the agent does not offer", s.script[turn].Tool)})
	}
	return s.message(req, s.call(turn))
}

func (s *Server) call(turn int) block {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued++
	id := fmt.Sprintf("toolu_%04d_%04d", turn, s.issued)
	s.calls[id] = turn
	input := s.script[turn].Input
	if input == nil {
		input = map[string]any{}
	}
	return block{Type: "tool_use", ID: id, Name: s.script[turn].Tool, Input: input}
}

// message wraps a block. The id is new each time: Claude Code joins messages
// that carry the same one.
func (s *Server) message(req request, b block) message {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued++
	stop := "end_turn"
	if b.Type == "tool_use" {
		stop = "tool_use"
	}
	return message{
		ID: fmt.Sprintf("msg_%04d", s.issued), Type: "message", Role: "assistant", Model: req.Model,
		Content: []block{b}, StopReason: &stop, Usage: usage{InputTokens: 1, OutputTokens: 1},
	}
}
