package codex

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"workflow-reviewer/internal/lazyregexp"
)

// maxReset bounds how long a limit is believed to last.
const maxReset = 31 * 24 * time.Hour

// reset is how long a limit still lasts, by whichever of the ways in which servers say it; 0 = not
// said. Dates are read against the answer's own Date, so that clocks need not agree.
func reset(h http.Header, a apiError) time.Duration {
	now := float64(time.Now().Unix())
	if date := date(h.Get("Date")); date > 0 {
		now = date
	}
	epoch := number(h.Get("X-RateLimit-Reset"))
	if epoch > 1e12 { // OpenRouter has milliseconds
		epoch /= 1000
	}
	for _, seconds := range []float64{
		number(h.Get("Retry-After-Ms")) / 1000, number(h.Get("Retry-After")),
		date(h.Get("Retry-After")) - now, a.ResetsIn, a.ResetsAt - now, epoch - now,
		inWords(a.Message),
	} {
		if seconds > 0 {
			return time.Duration(min(seconds*float64(time.Second), float64(maxReset)))
		}
	}
	return 0
}

// number reads a number, 0 if it is none.
func number(s string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0
	}
	return n
}

// date reads a date as HTTP writes it, in seconds since 1970; 0 if it is none.
func date(s string) float64 {
	at, err := http.ParseTime(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return float64(at.Unix())
}

// waits are the words by which OpenAI ("try again in 1m20s") and Azure ("retry after 26 seconds")
// say how long.
var waits = lazyregexp.New(
	`(?i)(?:try again in|retry after) (?:((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)|(\d+) seconds?)`)

// inWords finds a time to wait in a message, in seconds; 0 if there is none.
func inWords(message string) float64 {
	m := waits.FindStringSubmatch(message)
	if m == nil {
		return 0
	}
	d, err := time.ParseDuration(strings.ToLower(m[1]))
	if err != nil {
		return number(m[2])
	}
	return d.Seconds()
}
