package report_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"workflow-reviewer/internal/report"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]+m")

func TestTerminal(t *testing.T) {
	for name, run := range runs() {
		t.Run(name, func(t *testing.T) {
			rep := report.Build(run)
			var plain, colored strings.Builder
			rep.Terminal(&plain, report.TerminalOptions{})
			rep.Terminal(&colored, report.TerminalOptions{Color: true})
			for l := range strings.SplitSeq(plain.String(), "\n") {
				if utf8.RuneCountInString(l) > 80 && !strings.HasPrefix(l, "  reviews/") {
					t.Errorf("%d columns: %q", utf8.RuneCountInString(l), l)
				}
				if i := strings.IndexFunc(l, func(r rune) bool { return unicode.IsControl(r) || r == 0x202e }); i >= 0 {
					t.Errorf("control character in %q", l)
				}
			}
			if got := sgr.ReplaceAllString(colored.String(), ""); got != plain.String() {
				t.Error("colour changes the text")
			}
			if !sgr.MatchString(colored.String()) {
				t.Error("no colour")
			}
			if !strings.Contains(plain.String(), rep.Title()) {
				t.Error("no verdict")
			}
		})
	}
}

func TestTerminalWidth(t *testing.T) {
	var b strings.Builder
	report.Build(runs()["mixed"]).Terminal(&b, report.TerminalOptions{Width: 50})
	for l := range strings.SplitSeq(b.String(), "\n") {
		if utf8.RuneCountInString(l) > 50 && strings.Contains(strings.TrimSpace(l), " ") {
			t.Errorf("%d columns: %q", utf8.RuneCountInString(l), l)
		}
	}
}
