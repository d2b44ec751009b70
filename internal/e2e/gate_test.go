//go:build e2e

package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// held is a review whose model keeps codex waiting until the step is signalled.
type held struct {
	w    *world
	step *step
	gate *url.URL // of the review, as codex's command line has it
}

var gateURL = regexp.MustCompile(`base_url="(http://127\.0\.0\.1:\d+/[A-Z0-9]+/v1)"`)

func holdReview(t *testing.T) held {
	t.Helper()
	asked := make(chan struct{}, 64)
	w := newWorld(t, func(r codextest.Request) codextest.Response {
		switch {
		case strings.Contains(string(r.Body), "from elsewhere"):
			return codextest.Message("ok")
		case len(r.Outputs) == 0:
			return codextest.Call("list_files", map[string]string{})
		}
		asked <- struct{}{}
		return codextest.Hang()
	})
	m := newMachine(t)
	h := held{w: w, step: m.start(w, pull("opened"))}
	select {
	case <-asked:
	case err := <-h.step.done:
		t.Fatalf("ended before the model was asked: %v\n%s", err, h.step.log)
	}
	match := gateURL.FindStringSubmatch(docker(t, "top", h.step.name, "-eo", "pid,args"))
	if match == nil {
		t.Fatal("codex's command line does not name the gate")
	}
	gate, err := url.Parse(match[1])
	if err != nil {
		t.Fatal(err)
	}
	h.gate = gate
	return h
}

// gateOutcomes knocks at the gate as a program beside codex could.
func gateOutcomes(t *testing.T) outcomes {
	t.Helper()
	h := holdReview(t)
	canary := &atomic.Int32{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { canary.Add(1) }))
	defer server.Close()
	elsewhere := strings.TrimPrefix(server.URL, "http://")
	right := h.gate.Path + "/responses"
	var out outcomes
	asked := h.w.model.Count()
	for _, c := range []struct{ what, line, host string }{
		{"`GET` of the review's address", "GET " + right, h.gate.Host},
		{"`PUT`, `DELETE` or `OPTIONS` of it", "PUT " + right, h.gate.Host},
		{"`PUT`, `DELETE` or `OPTIONS` of it", "DELETE " + right, h.gate.Host},
		{"`PUT`, `DELETE` or `OPTIONS` of it", "OPTIONS " + right, h.gate.Host},
		{"`POST …/chat/completions`", "POST " + h.gate.Path + "/chat/completions", h.gate.Host},
		{"`POST …/responses/compact`", "POST " + right + "/compact", h.gate.Host},
		{"`POST …/responses/../files`", "POST " + right + "/../files", h.gate.Host},
		{"`POST …/%72esponses/`", "POST " + h.gate.Path + "/%72esponses/", h.gate.Host},
		{"`POST /v1/responses`, without the review's secret", "POST /v1/responses", h.gate.Host},
		{"`POST`, with another secret", "POST /AAAAAAAAAAAAAAAAAAAAAAAAAA/v1/responses", h.gate.Host},
		{"`POST http://elsewhere/`, as of a proxy", "POST " + server.URL + "/", elsewhere},
		{"`CONNECT elsewhere:443`", "CONNECT " + elsewhere, elsewhere},
	} {
		status := knock(t, h.gate.Host, c.line, c.host)
		out.add(groupGate, c.what, fmt.Sprintf("refused: %d", status))
		if status < 400 {
			t.Errorf("%s was let through with %d", c.what, status)
		}
	}
	if n := h.w.model.Count(); n != asked {
		t.Errorf("%d requests passed the gate", n-asked)
	}
	if status := knock(t, h.gate.Host, "POST "+right, elsewhere); status != http.StatusOK || h.w.model.Count() != asked+1 {
		t.Errorf("the right address answers %d: the test proves nothing", status)
	}
	out.add(groupGate, "`POST` of the review's address with another `Host`",
		"goes to the configured endpoint, as every such request, and counts against the limits")
	for _, r := range h.w.model.Requests() {
		if r.Header.Get("Authorization") != "Bearer "+canaryKey || r.Path != "/v1/responses" {
			t.Errorf("the endpoint got %s %s", r.Method, r.Path)
		}
	}
	h.end(t)
	if _, err := net.Dial("tcp", h.gate.Host); err == nil {
		t.Error("the gate outlives the review")
	}
	out.add(groupGate, "anything, once the review has ended", "no connection")
	if n := canary.Load(); n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
	return out
}

// end cancels the step.
func (h held) end(t *testing.T) {
	t.Helper()
	docker(t, "kill", "--signal=INT", h.step.name)
	h.step.wait().ends(2, "ERROR")
}

// knock sends a request as it is and returns the answer's status.
func knock(t *testing.T, addr, line, host string) int {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	body := `{"input":"from elsewhere"}`
	_, err = fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n"+
		"\r\n%s", line, host, len(body), body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode
}
