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

func TestApply(t *testing.T) {
	exit := workflow.Finding{Category: "workaround", Kind: "process_exit", File: "tools/a/run.py", Line: 3}
	patch := workflow.Finding{Category: "workaround", Kind: "builtin_patch", File: "tools/a/run.py", Line: 4}
	weakened := workflow.Finding{Category: "test_weakening", Kind: "process_exit", File: "tools/a/run.py", Line: 5}
	day := time.Date(2027, 6, 30, 0, 0, 0, 0, time.UTC)
	allow := []trick.Allowance{{Rule: "process-exit", Path: "tools/**", Reason: "run by hand", Expires: day}}
	all := []workflow.Finding{exit, patch, weakened}

	kept, excused, notices := trick.Apply(all, allow, day.Add(23*time.Hour))
	if d := cmp.Diff([]workflow.Finding{patch, weakened}, kept); d != "" {
		t.Errorf("kept (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]workflow.Finding{exit}, excused); d != "" {
		t.Errorf("excused (-want +got):\n%s", d)
	}
	if len(notices) != 1 || notices[0].Warns() || !strings.Contains(notices[0].Text, "run by hand") {
		t.Errorf("notices = %+v", notices)
	}

	kept, excused, notices = trick.Apply(all, allow, day.AddDate(0, 0, 1))
	if len(kept) != 3 || len(excused) != 0 || len(notices) != 1 || !notices[0].Warns() ||
		!strings.Contains(notices[0].Text, "expired on 2027-06-30") {
		t.Errorf("after the last day: kept %v, excused %v, notices %+v", kept, excused, notices)
	}

	renewed := trick.Allowance{Rule: "process-exit", Path: "tools/a/run.py", Reason: "renewed", Expires: day.AddDate(1, 0, 0)}
	_, excused, notices = trick.Apply(all, append(allow, renewed), day.AddDate(0, 0, 1))
	if len(excused) != 1 || !strings.Contains(notices[0].Text, "renewed") {
		t.Errorf("renewed: excused %v, notices %+v", excused, notices)
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
