package githubtest

import (
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Call is a request as fault rules see it.
type Call struct {
	Method string
	Path   string // without the API's prefix; /graphql for GraphQL
	Body   []byte
	// Nth counts the calls of this method and path so far, this one included.
	Nth int
}

// Fault is a failure to inject. The zero Fault is none.
type Fault struct {
	Status int // answered with Body
	Header map[string]string
	Body   string
	Hang   bool // no answer until the client leaves
	Reset  bool // the connection is reset
	// After lets the request take effect before it fails, as when an answer is lost on its way.
	After bool
}

// Fail sets the rule that decides which calls fail; nil ends all faults. The rule must not ask the
// server anything.
func (s *Server) Fail(rule func(Call) *Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = rule
}

// Nth is a rule: the n-th call (from 1) of the method on a path that ends in suffix fails, with n =
// 0 every one.
func Nth(method, suffix string, n int, f Fault) func(Call) *Fault {
	seen := 0
	return func(c Call) *Fault {
		if c.Method != method || !strings.HasSuffix(c.Path, suffix) {
			return nil
		}
		if seen++; n != 0 && seen != n {
			return nil
		}
		return &f
	}
}

// Lost is the fault f, but after the request took effect.
func Lost(f Fault) Fault {
	f.After = true
	return f
}

// Unauthorized is the answer to a wrong token.
func Unauthorized() Fault { return Fault{Status: 401, Body: `{"message":"Bad credentials"}`} }

// Forbidden is the answer to a write with a read-only token.
func Forbidden() Fault {
	return Fault{Status: 403, Body: `{"message":"Resource not accessible by integration",` +
		`"documentation_url":"https://docs.github.com/rest"}`}
}

// PrimaryLimit is an exhausted hourly limit that ends at reset.
func PrimaryLimit(status int, reset time.Time) Fault {
	return Fault{
		Status: status,
		Body:   `{"message":"API rate limit exceeded for installation."}`,
		Header: map[string]string{
			"X-RateLimit-Limit": "1000", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": strconv.FormatInt(reset.Unix(), 10),
		},
	}
}

// SecondaryLimit is a limit on bursts; retryAfter in seconds is left out if 0.
func SecondaryLimit(status, retryAfter int) Fault {
	f := Fault{
		Status: status,
		Body: `{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try ` +
			`again."}`,
		Header: map[string]string{},
	}
	if retryAfter > 0 {
		f.Header["Retry-After"] = strconv.Itoa(retryAfter)
	}
	return f
}

// Invalid is a refusal of the request's content.
func Invalid() Fault {
	return Fault{
		Status: 422,
		Body:   `{"message":"Unprocessable Entity","documentation_url":"https://docs.github.com/rest"}`,
	}
}

// BadGateway is an answer of a proxy in between.
func BadGateway() Fault { return Fault{Status: 502, Body: "<html>502 Bad Gateway</html>"} }

// Hang is silence.
func Hang() Fault { return Fault{Hang: true} }

// Reset is a connection reset by the peer.
func Reset() Fault { return Fault{Reset: true} }

// write plays the fault.
func (f *Fault) write(w http.ResponseWriter, r *http.Request, done <-chan struct{}) {
	switch {
	case f.Hang:
		select {
		case <-r.Context().Done():
		case <-done:
		}
	case f.Reset:
		reset(w)
	default:
		w.Header().Set("Content-Type", "application/json")
		for k, v := range f.Header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(f.Status)
		_, _ = fmt.Fprint(w, f.Body)
	}
}

func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
