package codex

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"workflow-reviewer/internal/advice"
	"workflow-reviewer/internal/review"
)

// explain says what a refusal of the endpoint means. The status is 0 where none came.
func (g *gate) explain(status int, a apiError, h http.Header) *review.EngineError {
	why := advice.Model().Find(advice.Answer{Status: status, Codes: a.codes(), Message: a.Message})
	means := strings.ReplaceAll(why.Means, "{path}", g.endpoint.Path)
	e := failed(review.Class(why.Class), means, why.Do)
	if status != 0 {
		e.Message += fmt.Sprintf(" (%d)", status)
	}
	e.RetryAfter = reset(h, a)
	if e.RetryAfter >= time.Minute {
		e.Message += fmt.Sprintf(", until %s (%s from now)",
			time.Now().Add(e.RetryAfter).UTC().Format("2006-01-02 15:04 UTC"),
			e.RetryAfter.Round(time.Second))
	}
	switch said := oneLine(a.Message, g.key); {
	case said != "" && !why.Silent:
		e.Message += ": " + said
	case said == "" && status == 0:
		e.Message += ": it gave no reason"
	}
	return e
}

// stream explains a failure that came inside a stream, where some servers give the status as a
// code.
func (g *gate) stream(a apiError) *review.EngineError {
	status, err := strconv.Atoi(fmt.Sprint(a.Code))
	if err != nil || status < 400 || status > 599 {
		status = 0
	}
	return g.explain(status, a, nil)
}
