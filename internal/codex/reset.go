package codex

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxReset bounds how long a limit is believed to last.
const maxReset = 31 * 24 * time.Hour

// reset is how long a limit still lasts, by whichever of the ways in which servers say it; 0 = not
// said. Dates are read against the answer's own Date, so that clocks need not agree.
func reset(h http.Header, a apiError) time.Duration {
	now := time.Now()
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	for _, d := range []time.Duration{
		number(h.Get("Retry-After-Ms"), time.Millisecond), number(h.Get("Retry-After"), time.Second), dated(h.Get("Retry-After"), now),
		bounded(a.ResetsIn * float64(time.Second)), since(a.ResetsAt, now), since(epoch(h.Get("X-RateLimit-Reset")), now),
		inWords(a.Message),
	} {
		if d > 0 {
			return d
		}
	}
	return 0
}

// number reads a count of units, 0 if it is none.
func number(s string, unit time.Duration) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil {
		return 0
	}
	return bounded(n * float64(unit))
}

// dated is the time until a date as HTTP writes it, 0 if it is over.
func dated(s string, now time.Time) time.Duration {
	at, err := http.ParseTime(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return bounded(float64(at.Sub(now)))
}

// epoch reads seconds or, as OpenRouter has them, milliseconds since 1970.
func epoch(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	if n > 1e12 {
		n /= 1000
	}
	return n
}

// since is how long after now a moment is, in seconds since 1970.
func since(at float64, now time.Time) time.Duration {
	return bounded((at - float64(now.Unix())) * float64(time.Second))
}

// waits are the words by which OpenAI ("try again in 1m20s") and Azure ("retry after 26 seconds")
// say how long.
var waits = regexp.MustCompile(`(?i)(?:try again in|retry after) ((?:\d+(?:\.\d+)?(?:ms|s|m|h))+|\d+ seconds?)`)

// inWords finds a time to wait in a message, 0 if there is none.
func inWords(message string) time.Duration {
	m := waits.FindStringSubmatch(message)
	if m == nil {
		return 0
	}
	text := strings.ToLower(m[1])
	if n, _, ok := strings.Cut(text, " "); ok {
		text = n + "s"
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return bounded(float64(d))
}

// bounded is a duration of nanoseconds, from 0 to maxReset.
func bounded(ns float64) time.Duration {
	if !(ns > 0) { // also what is no number
		return 0
	}
	return time.Duration(min(ns, float64(maxReset)))
}
