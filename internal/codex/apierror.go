package codex

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// apiError is the error object of the Responses API.
type apiError struct {
	Code     any     `json:"code"`
	Type     string  `json:"type"`
	Message  string  `json:"message"`
	Param    string  `json:"param"`
	ResetsIn float64 `json:"resets_in_seconds"`
	ResetsAt float64 `json:"resets_at"` // seconds since 1970
}

// UnmarshalJSON reads an error as far as it has the API's form, or is a text alone; what the
// message is about is added to it.
func (a *apiError) UnmarshalJSON(data []byte) error {
	type plain apiError
	*a = apiError{}
	if json.Unmarshal(data, (*plain)(a)) != nil {
		_ = json.Unmarshal(data, &a.Message) // whatever is there
	}
	if a.Param != "" && !strings.Contains(a.Message, a.Param) {
		a.Message += " (" + a.Param + ")"
	}
	return nil
}

// codes are the words by which the API names the reason.
func (a apiError) codes() []string { return []string{fmt.Sprint(a.Code), a.Type} }

// parseError finds the error in an answer, in the shapes that servers give it: an object or a text
// "error", a text "message" or anything as "detail" at the top, plain text, or a page, whose type
// is then "html".
func parseError(body []byte, h http.Header) apiError {
	var b struct {
		Error, Message, Detail apiError
	}
	var raw struct{ Detail json.RawMessage }
	if json.Unmarshal(body, &b) != nil {
		switch mediaType(h) {
		case "text/html":
			return apiError{Type: "html"}
		case "text/plain":
			return apiError{Message: string(body)}
		}
	}
	_ = json.Unmarshal(body, &raw) // it is none then
	for _, e := range []apiError{b.Error, b.Message, b.Detail, {Message: string(raw.Detail)}} {
		if e.Message != "" {
			return e
		}
	}
	return b.Error
}

// isDocument reports whether an answer is no stream of events, although its status says that all is
// well.
func isDocument(h http.Header) bool {
	return mediaType(h) == "application/json" || mediaType(h) == "text/html"
}

// mediaType is the type of an answer in lower case, without its parameters.
func mediaType(h http.Header) string {
	kind, _, _ := strings.Cut(strings.ToLower(h.Get("Content-Type")), ";")
	return strings.TrimSpace(kind)
}
