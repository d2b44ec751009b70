package trick_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/trick"
	"workflow-reviewer/internal/workflow"
)

func TestParseAllow(t *testing.T) {
	until := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	want := []trick.Allowance{{Rule: "process-exit", Path: "tools/**/*.py", Reason: "run by hand", Expires: until}}
	for _, data := range []string{
		`[{"rule":"process-exit","path":"tools/**/*.py","reason":"run by hand","expiry":"2027-06-30"}]`,
		"\ufeff [\n" + `{"expiry":"2027-06-30","reason":" run by hand ","path":"tools/**/*.py","rule":"process-exit"}]`,
	} {
		got, err := trick.ParseAllow([]byte(data))
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("ParseAllow(%s) (-want +got):\n%s\n%v", data, d, err)
		}
	}
	if got, err := trick.ParseAllow([]byte("[]")); len(got) > 0 || err != nil {
		t.Errorf("ParseAllow of nothing = %v, %v", got, err)
	}
}

func TestParseAllowErrors(t *testing.T) {
	entry := func(rule, path, reason, expires string) string {
		return `[{"rule":"` + rule + `","path":"` + path + `","reason":"` + reason + `","expiry":"` + expires + `"}]`
	}
	for _, tt := range []struct{ name, data, want string }{
		{"no JSON", "{", "parse .workflow/integrity-allow.json"},
		{"empty", "", "parse .workflow"},
		{"two documents", `[][]`, "more after"},
		{"no list", `{}`, "it is a list of entries"},
		{"unknown key", `[{"rules":"x"}]`, "unknown key"},
		{"key of another case", `[{"Rule":"x"}]`, "unknown key"},
		{"repeated key", `[{"rule":"x","rule":"y"}]`, "twice"},
		{"rule", entry("process_exit", "a.py", "r", "2027-01-01"), "entry 1: rule is \"process_exit\"; the rules are operator-overload,"},
		{"no path", entry("process-exit", "", "r", "2027-01-01"), "entry 1: path is"},
		{"absolute path", entry("process-exit", "/a.py", "r", "2027-01-01"), "from the repository's root"},
		{"path that leaves", entry("process-exit", "../a.py", "r", "2027-01-01"), "from the repository's root"},
		{"bad pattern", entry("process-exit", "a[.py", "r", "2027-01-01"), "from the repository's root"},
		{"every file", entry("process-exit", "**/*", "r", "2027-01-01"), "which is every file"},
		{"no reason", entry("process-exit", "a.py", " ", "2027-01-01"), "reason is missing"},
		{"no date", entry("process-exit", "a.py", "r", ""), "expiry is \"\""},
		{"date and time", entry("process-exit", "a.py", "r", "2027-01-01T00:00:00Z"), "2027-06-30"},
		{"too large", strings.Repeat(" ", 300<<10), "at most"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := trick.ParseAllow([]byte(tt.data))
			if err == nil || !strings.Contains(err.Error(), tt.want) || got != nil {
				t.Errorf("ParseAllow = %v, %v; want an error with %q", got, err, tt.want)
			}
		})
	}
}

func TestExcuses(t *testing.T) {
	exit := workflow.Finding{Category: "workaround", Kind: "process_exit", File: "tools/a/run.py", Line: 3}
	asked := workflow.Finding{Level: workflow.Ask, Kind: "process_exit", File: "tools/a/run.py", Line: 3}
	patch := workflow.Finding{Category: "workaround", Kind: "builtin_patch", File: "tools/a/run.py", Line: 4}
	elsewhere := workflow.Finding{Category: "workaround", Kind: "process_exit", File: "src/a/run.py", Line: 3}
	weakened := workflow.Finding{Category: "test_weakening", Kind: "process_exit", File: "tools/a/run.py", Line: 5}
	day := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	allow := []trick.Allowance{{Rule: "process-exit", Path: "tools/**", Reason: "run by hand", Expires: day}}
	renewed := []trick.Allowance{allow[0], {
		Rule: "process-exit", Path: "tools/a/run.py", Reason: "renewed", Expires: day.AddDate(1, 0, 0),
	}}
	for name, c := range map[string]struct {
		allow   []trick.Allowance
		finding workflow.Finding
		today   time.Time
		want    bool
		says    string
	}{
		"on the last day":  {allow, exit, day.Add(23 * time.Hour), true, "run by hand"},
		"a question":       {allow, asked, day, true, "run by hand"},
		"another kind":     {allow, patch, day, false, ""},
		"another file":     {allow, elsewhere, day, false, ""},
		"no workaround":    {allow, weakened, day, false, ""},
		"after it":         {allow, exit, day.AddDate(0, 0, 1), false, "expired on 2027-06-30"},
		"renewed":          {renewed, exit, day.AddDate(0, 0, 1), true, "renewed"},
		"none is expected": {nil, exit, day, false, ""},
	} {
		ok, notice := trick.Excuses(c.allow, c.finding, c.today)
		if ok != c.want || (notice == nil) != (c.says == "") {
			t.Errorf("%s: %v, %+v", name, ok, notice)
		} else if notice != nil && (!strings.Contains(notice.Text, c.says) || notice.Warns() == ok) {
			t.Errorf("%s: %+v", name, notice)
		}
	}
}

func FuzzParseAllow(f *testing.F) {
	f.Add([]byte(`[{"rule":"process-exit","path":"tools/*.py","reason":"r","expiry":"2027-06-30"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := trick.ParseAllow(data)
		for _, a := range got {
			if err != nil || a.Reason == "" || a.Expires.IsZero() || a.Path == "" {
				t.Errorf("ParseAllow = %+v, %v", got, err)
			}
		}
	})
}
