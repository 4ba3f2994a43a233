package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// request is the part of a Messages request that decides the answer. Content is
// kept raw: it is a string or a list of blocks, of kinds that grow with the API.
type request struct {
	Model    string        `json:"model"`
	Stream   bool          `json:"stream"`
	Messages []requestItem `json:"messages"`
	Tools    []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

type requestItem struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// requestBlock is one part of a message's content.
type requestBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"` // of a tool_result: a string or blocks
}

// turn counts the answers that the conversation already holds.
func (r request) turn() int {
	n := 0
	for _, m := range r.Messages {
		if m.Role == "assistant" {
			n++
		}
	}
	return n
}

func (r request) offers(tool string) bool {
	for _, t := range r.Tools {
		if t.Name == tool {
			return true
		}
	}
	return false
}

func (m requestItem) blocks() []requestBlock { return parseBlocks(m.Content) }

// text joins the text of a tool_result.
func (b requestBlock) text() string {
	var parts []string
	for _, p := range parseBlocks(b.Content) {
		if p.Type == "text" {
			parts = append(parts, p.Text)
		} else {
			parts = append(parts, "["+p.Type+"]")
		}
	}
	return strings.Join(parts, "\n")
}

// parseBlocks reads content in either of its forms. What is neither has no
// blocks: an unknown form must not end the conversation.
func parseBlocks(raw json.RawMessage) []requestBlock {
	var blocks []requestBlock
	if json.Unmarshal(raw, &blocks) == nil {
		return blocks
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []requestBlock{{Type: "text", Text: text}}
	}
	return nil
}

type message struct {
	ID           string  `json:"id"`
	Type         string  `json:"type"`
	Role         string  `json:"role"`
	Model        string  `json:"model"`
	Content      []block `json:"content"`
	StopReason   *string `json:"stop_reason"`
	StopSequence *string `json:"stop_sequence"`
	Usage        usage   `json:"usage"`
}

type usage struct {
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// block is one part of an answer: a text or a tool call.
type block struct {
	Type  string
	Text  string
	ID    string
	Name  string
	Input map[string]any
}

// MarshalJSON writes only the fields that a block of this type has.
func (b block) MarshalJSON() ([]byte, error) {
	if b.Type == "text" {
		return json.Marshal(map[string]any{"type": b.Type, "text": b.Text})
	}
	return json.Marshal(map[string]any{"type": b.Type, "id": b.ID, "name": b.Name, "input": b.Input})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // a reader that is gone needs no answer
}

func writeError(w http.ResponseWriter, status int, kind, text string) {
	writeJSON(w, status, map[string]any{
		"type": "error", "error": map[string]any{"type": kind, "message": text},
	})
}

// stream sends a message as server-sent events: an empty message, its blocks
// piece by piece, then the reason for which it ended.
func stream(w http.ResponseWriter, m message) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	start := m
	start.Content, start.StopReason = []block{}, nil
	event(w, "message_start", map[string]any{"message": start})
	for i, b := range m.Content {
		empty, delta := b.parts()
		event(w, "content_block_start", map[string]any{"index": i, "content_block": empty})
		event(w, "content_block_delta", map[string]any{"index": i, "delta": delta})
		event(w, "content_block_stop", map[string]any{"index": i})
	}
	event(w, "message_delta", map[string]any{
		"delta": map[string]any{"stop_reason": m.StopReason, "stop_sequence": nil}, "usage": m.Usage,
	})
	event(w, "message_stop", map[string]any{})
}

// parts splits a block into the empty block that opens it and its content.
func (b block) parts() (empty block, delta map[string]any) {
	if b.Type == "text" {
		return block{Type: "text"}, map[string]any{"type": "text_delta", "text": b.Text}
	}
	empty = b
	empty.Input = map[string]any{}
	input, err := json.Marshal(b.Input)
	if err != nil {
		panic(fmt.Sprintf("standin: input of %s is no JSON: %v", b.Name, err))
	}
	return empty, map[string]any{"type": "input_json_delta", "partial_json": string(input)}
}

func event(w http.ResponseWriter, kind string, data map[string]any) {
	data["type"] = kind
	text, err := json.Marshal(data)
	if err != nil {
		panic(fmt.Sprintf("standin: event %s is no JSON: %v", kind, err))
	}
	fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
