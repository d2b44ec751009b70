package main_test

import (
	"strings"
	"testing"
)

// TestMisuseIsOneLine: whatever is wrong with a command is said in one line, in the terminal's words, with what was meant.
func TestMisuseIsOneLine(t *testing.T) {
	t.Parallel()
	repo := doctored(t, nil)
	nowhere := t.TempDir()
	for args, want := range map[string]string{
		"inti":                                            "did you mean init?",
		"local --aply":                                    "unknown flag --aply; did you mean --apply?",
		"local --nothing-like-it":                         `unknown flag --nothing-like-it ("workflow-reviewer local -h" lists its flags)`,
		"integrity x":                                     `unexpected argument "x"`,
		"prove --rde -- true":                             "did you mean --red?",
		"explain --reprt x y":                             "did you mean --report?",
		"serve --bse main":                                "did you mean --base?",
		"restore --dryrun":                                "did you mean --dry-run?",
		"doctor --rep .":                                  "did you mean --repo?",
		"local --base":                                    "flag needs an argument: -base",
		"integrity --base mian --repo REPO":               "did you mean main?",
		"integrity --head HAED~1 --repo REPO":             "no such branch, tag or commit",
		"integrity --repo NOWHERE":                        "NOWHERE is in no git repository; name one with --repo",
		"restore --repo NOWHERE":                          "NOWHERE is in no git repository; name one with --repo",
		"local --engine rules --type nope --repo REPO":    `--type: "nope" names "nope"`,
		"local --engine rules --max-tokens x --repo REPO": "--max-tokens:",
		"local --engine rules --endpoint ftp --repo REPO": "--endpoint:",
		"local --engine rules --paths ../x --repo REPO":   "--paths:",
	} {
		places := strings.NewReplacer("NOWHERE", nowhere, "REPO", repo)
		code, out, errs := program(t, strings.Fields(places.Replace(args))...)
		if code != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, places.Replace(want)) {
			t.Errorf("%s: status %d\n%s%s", args, code, out, errs)
		}
	}
}
