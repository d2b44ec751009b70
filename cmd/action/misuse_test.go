package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		"local --engine rules --config x --repo REPO":     `--config: read "x" of the base commit`,
		"demo --engine gpt":                               `--engine: "gpt" is not one of codex, rules`,
	} {
		places := strings.NewReplacer("NOWHERE", nowhere, "REPO", repo)
		code, out, errs := program(t, strings.Fields(places.Replace(args))...)
		if code != 2 || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, places.Replace(want)) {
			t.Errorf("%s: status %d\n%s%s", args, code, out, errs)
		}
	}
}

// TestFilesThatAreNone: what a command is told to read and cannot ends it with status 2 and the flag's name, at once.
func TestFilesThatAreNone(t *testing.T) {
	t.Parallel()
	repo := doctored(t, nil)
	if err := syscall.Mkfifo(filepath.Join(repo, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(repo, "link")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"binary": "\x00\xff", "empty": "", "large": strings.Repeat(" ", 65<<20)} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, flag := range []string{"test-results", "coverage-report", "evidence", "findings"} {
		for _, file := range []string{"pipe", "link", "binary", "empty", "large", "none"} {
			code, out, errs := program(t, "local", "--engine", "rules", "--repo", repo, "--head", "HEAD", "--base", "HEAD",
				"--paths", "app.py", "--"+flag, file)
			if code != 2 || !strings.Contains(errs, "--"+flag+": ") || strings.Contains(errs, "root:") {
				t.Errorf("--%s %s: status %d\n%s%s", flag, file, code, out, errs)
			}
		}
	}
}
