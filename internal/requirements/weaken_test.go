package requirements_test

import (
	"testing"

	"workflow-reviewer/internal/requirements"
)

// TestSame: the closed list of what is no change, and what is near it.
func TestSame(t *testing.T) {
	for _, c := range []struct {
		before, after string
		want          bool
	}{
		{"A wrong password is refused.", "a WRONG  password is refused", true},
		{"A **wrong** password, once given, is `refused`.", "A wrong password once given is refused", true},
		{"[ ] It sings", "[x] It sings", true},
		{"1. It sings", "2) It sings", true},
		{"See [the limits](a.md) of it", "See the limits of it", true},
		{"See [the limits](a.md) of it", "See [the limits](b.md) of it", false},
		{"The sign-in works", "The sign in works", true},
		{"It returns “a”", "It returns 'a'", true},
		{"At most 1.5 s", "At most 15 s", false},
		{"a <= 3", "a < 3", false},
		{"a ≤ 3", "a <= 3", true},
		{"a != b", "a = b", false},
		{"Down to -5 degrees", "Down to 5 degrees", false},
		{"It isn't stored", "It is stored", false},
		{"`a.b` is read", "`a b` is read", false},
		{"GET /users is 200", "GET users is 200", true},
		{"GET /users/me is 200", "GET /users me is 200", false},
	} {
		if got := requirements.Same(c.before, c.after); got != c.want {
			t.Errorf("%q and %q: %t, %q and %q", c.before, c.after, got, requirements.Phrase(c.before), requirements.Phrase(c.after))
		}
	}
}

// TestWeakening: what is known to demand less, and what is only another text.
func TestWeakening(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"It must answer", "It should answer", `"must" became "should"`},
		{"Every request is logged", "Requests may be logged", `"every" became "may"`},
		{"A receipt is sent", "A receipt is optionally sent", `"optionally" was added`},
		{"A receipt is sent", "A receipt is sent where possible", `"possible" was added`},
		{"It must not be logged", "It must be logged", "what it denies is another"},
		{"It is stored", "It is never stored", "what it denies is another"},
		{"It answers within 2 seconds", "It answers within 5 seconds", "2 seconds became 5 seconds"},
		{"It answers within 500 ms", "It answers within 2 s", "500 ms became 2 s"},
		{"It answers within 2s", "It answers within 1 minute", "2s became 1 minute"},
		{"It answers within 5 seconds", "It answers within 2 seconds", ""},
		{"It keeps at least 5 copies", "It keeps at least 3 copies", "5 became 3"},
		{"It keeps at least 3 copies", "It keeps at least 5 copies", ""},
		{"It locks after 5 failures", "It locks after 9 failures", ""},
		{"a < 3", "a < 4", "3 became 4"},
		{"It is locked and the owner is told", "It is locked", `"and the owner is told" was taken out`},
		{"All users are asked", "Users are asked", `"all" was taken out`},
		{"An admin is asked if there is one", "An admin is asked", ""},
		{"A wrong password is refused", "A wrong password is refused in all browsers", ""},
		{"A wrong password is refused", "A bad password is rejected", ""},
	} {
		if got := requirements.Weakening(c.before, c.after); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.before, c.after, got, c.want)
		}
	}
}
