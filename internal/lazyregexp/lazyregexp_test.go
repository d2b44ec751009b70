package lazyregexp_test

import (
	"testing"

	"workflow-reviewer/internal/lazyregexp"
)

func TestQuote(t *testing.T) {
	for text, matches := range map[string]string{"a.b": "a.b", "\x94.cs": ".cs", "": "anything"} {
		if !lazyregexp.New(lazyregexp.Quote(text)).MatchString(matches) {
			t.Errorf("Quote(%q) does not match %q", text, matches)
		}
	}
	if lazyregexp.New(lazyregexp.Quote("a.b")).MatchString("axb") {
		t.Error("a point matches any letter")
	}
}

func TestNew(t *testing.T) {
	bad := lazyregexp.New("(")
	if bad.String() != "(" {
		t.Errorf("String = %q", bad.String())
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic at the first use of what is no expression")
		}
	}()
	bad.MatchString("x")
}
