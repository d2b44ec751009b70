package codextest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
)

// send writes one response to the wire.
func (s *Server) send(w http.ResponseWriter, r *http.Request, req Request, resp Response) {
	if resp.after != nil && !s.wait(r, resp.after) {
		return
	}
	if resp.hang {
		s.wait(r, nil)
		return
	}
	for k, v := range resp.header {
		w.Header().Set(k, v)
	}
	if resp.status != 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(resp.status)
		_, _ = io.WriteString(w, resp.body) // the client may be gone
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	if resp.raw != "" {
		_, _ = io.WriteString(w, resp.raw)
		return
	}
	stream(w, req, resp)
}

// wait holds until the channel is closed; false if the client or the test is gone before.
func (s *Server) wait(r *http.Request, c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	case <-r.Context().Done():
		return false
	case <-s.gone:
		return false
	}
}

func stream(w http.ResponseWriter, req Request, resp Response) {
	id := fmt.Sprintf("resp_%d", req.N)
	object := map[string]any{"id": id, "model": req.Model, "status": "in_progress"}
	event(w, "response.created", "response", object)
	for i, make := range resp.items {
		it := make(req)
		if it["call_id"] != nil {
			it["call_id"] = fmt.Sprintf("call_%d_%d", req.N, i)
		}
		event(w, "response.output_item.done", "item", it)
	}
	if resp.truncated {
		panic(http.ErrAbortHandler)
	}
	object["usage"] = usage
	if resp.usage != nil {
		object["usage"] = resp.usage
	}
	switch {
	case resp.failure != nil:
		object["status"], object["error"] = "failed", resp.failure
		event(w, "response.failed", "response", object)
	case resp.part != "":
		object["status"], object["incomplete_details"] = "incomplete", map[string]any{
			"reason": resp.part,
		}
		event(w, "response.incomplete", "response", object)
	default:
		object["status"] = "completed"
		event(w, "response.completed", "response", object)
	}
}

func event(w http.ResponseWriter, kind, field string, v any) {
	b, err := json.Marshal(map[string]any{"type": kind, field: v})
	if err != nil {
		panic(err)
	}
	_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, b) // the client may be gone
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}
