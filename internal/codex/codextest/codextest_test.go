package codextest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

func post(t *testing.T, s *codextest.Server, body string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Endpoint(), strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

func asking(prompt string, outputs ...string) string {
	body := `{"model":"m","input":[{"role":"developer","content":"do"},{"role":"user","content":[{"type":"input_text","text":"` + prompt +
		`"}]}`
	for _, o := range outputs {
		body += `,{"type":"function_call_output","output":"` + o + `"}`
	}
	return body + "]}"
}

func TestAnswersByPromptAndProgress(t *testing.T) {
	s := codextest.New(t, codextest.Match(codextest.Message("else"),
		codextest.Case{Text: "spec", Response: codextest.Message("a spec")},
		codextest.Case{Text: "key", Response: codextest.Unauthorized()}))
	for _, c := range []struct {
		prompt, want string
		status       int
	}{{"a spec here", "a spec", 200}, {"other", "else", 200}, {"key", "invalid_api_key", 401}} {
		status, body, err := post(t, s, asking(c.prompt))
		if err != nil || status != c.status || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s, %v", c.prompt, status, body, err)
		}
	}
	got := s.Requests()
	if s.Count() != 3 || got[1].Prompt != "other" || got[1].Instructions != "do" || got[1].Model != "m" || got[1].N != 1 {
		t.Errorf("recorded %+v", got)
	}
}

func TestExploreCallsBeforeItAnswers(t *testing.T) {
	s := codextest.New(t, codextest.Explore(codextest.Message("done"), codextest.Call("search", map[string]string{"query": "x"})))
	if _, body, _ := post(t, s, asking("p")); !strings.Contains(body, `"name":"search"`) ||
		!strings.Contains(body, `"namespace":"mcp__repo"`) {
		t.Errorf("first answer %s", body)
	}
	if _, body, _ := post(t, s, asking("p", "found")); !strings.Contains(body, "done") {
		t.Errorf("second answer %s", body)
	}
	if out := s.Requests()[1].Outputs; len(out) != 1 || out[0] != "found" {
		t.Errorf("outputs %q", out)
	}
}

func TestAnyItems(t *testing.T) {
	s := codextest.New(t,
		codextest.Always(codextest.Item(map[string]any{"type": "web_search_call", "id": "ws_1"}).And(codextest.Message("done"))))
	_, body, err := post(t, s, asking("p"))
	search, done := strings.Index(body, "web_search_call"), strings.Index(body, `"text":"done"`)
	if err != nil || search < 0 || done < search {
		t.Errorf("answer %s, %v", body, err)
	}
}

func TestTruncatedStreamsBreak(t *testing.T) {
	s := codextest.New(t, codextest.Always(codextest.Truncated("half")))
	if _, body, err := post(t, s, "not JSON"); err == nil || strings.Contains(body, "response.completed") {
		t.Errorf("%q, %v", body, err)
	}
}

func TestHeldBackUntilReleased(t *testing.T) {
	release := make(chan struct{})
	s := codextest.New(t, codextest.Always(codextest.Message("now").After(release)))
	done := make(chan string)
	go func() {
		_, body, err := post(t, s, asking("p"))
		if err != nil {
			t.Error(err)
		}
		done <- body
	}()
	select {
	case body := <-done:
		t.Errorf("answered before it was released: %s", body)
	case release <- struct{}{}: // taken by the server, which waits for it
	}
	if body := <-done; !strings.Contains(body, "now") {
		t.Errorf("answer %s", body)
	}
}
