package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// TestCutSecretsAreRedacted: a text that is cut in the middle of a secret shows
// no part of it, whether the program was given the secret or recognises it.
func TestCutSecretsAreRedacted(t *testing.T) {
	t.Parallel()
	for name, secret := range map[string]string{"given": canaryKey, "recognised": "AKIAIMNOJVGFDXXXE4OA"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cut := func(limit int) string { return strings.Repeat("word ", limit)[:limit-len(secret)] + " " + secret }
			hit := issue("High", cut(201), "specs/proposed/login.md", 3)
			hit["description"], hit["recommendation"] = cut(4000), "Use "+strings.ReplaceAll(secret, "A", `\u0041`)
			w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", hit)))
			o := w.run(w.pull("opened"))
			o.ends(1, "NEEDS-CHANGES")
			places := map[string]string{
				"comment": w.gh.Comments()[0].Body, "page": o.saved("report.html"), "review": o.saved(o.reviews()[0].Path),
				"summary": o.summary, "outputs": o.outputs["reviews"], "sarif": o.saved("results.sarif"),
			}
			for place, text := range places {
				if strings.Contains(text, secret[:12]) {
					t.Errorf("%s shows a part of the secret", place)
				}
				if !strings.Contains(text, "[redacted") && place != "summary" {
					t.Errorf("%s does not say that something was redacted", place)
				}
			}
		})
	}
}

// TestEmptyTokenPaysNoModel: reviews that could not be committed are not begun.
func TestEmptyTokenPaysNoModel(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("APPROVED")))
	w.vars["INPUT_GITHUB-TOKEN"] = ""
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if n := w.model.Count(); n != 0 || !strings.Contains(o.stdout, `input "github-token" is empty, so the reviews could not be committed`) {
		t.Errorf("%d model requests\n%s", n, o.stdout)
	}
	w.inputs["commit"] = "off"
	w.run(w.pull("opened")).ends(0, "APPROVED")
}

// TestMistakeReplacesTheComment: a comment that says that all is well does
// not outlive the run that could not review.
func TestMistakeReplacesTheComment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ input, value, says string }{
		"wrong input":  {"commit", "sometimes", "sometimes"},
		"wrong config": {"config", "no/such.json", "no/such.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := specWorld(t, codextest.Always(answer("APPROVED")))
			w.run(w.pull("opened")).ends(0, "APPROVED")
			w.inputs[c.input] = c.value
			w.run(w.pull("synchronize")).ends(2, "ERROR")
			cs := w.gh.Comments()
			told := len(cs) == 1 && strings.Contains(cs[0].Body, "Review did not run") && strings.Contains(cs[0].Body, c.says)
			if !told || strings.Contains(cs[0].Body, "APPROVED") {
				t.Errorf("comments %+v", cs)
			}
			w.inputs["comment"] = "false"
			w.run(w.pull("synchronize")).ends(2, "ERROR")
		})
	}
}

// TestPushIsTriedAgain: one bad answer to a push loses no review.
func TestPushIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, suffix := range map[string]string{"advertisement": "/info/refs", "push": "/git-receive-pack"} {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", after), func(t *testing.T) {
				t.Parallel()
				w := specWorld(t, nil)
				w.inputs["commit"] = "push"
				w.removeWorkspace() // its origin would be a folder
				head := w.head()
				var failed atomic.Bool
				w.gh.Fail(func(c githubtest.Call) *githubtest.Fault {
					push := strings.HasSuffix(c.Path, suffix) && (c.Method == http.MethodPost || strings.Contains(suffix, "info"))
					if !push || failed.Swap(true) {
						return nil
					}
					f := githubtest.BadGateway()
					f.After = after
					return &f
				})
				w.run(w.pull("opened")).ends(0, "APPROVED")
				if got := w.subjects(head); !failed.Load() || len(got) != 1 || !slices.Contains(w.files(), "specs/todo/login.md") {
					t.Errorf("commits %q, files %q", got, w.files())
				}
			})
		}
	}
}

// TestHugeAnswer is cut off at a size, not by the clock.
func TestHugeAnswer(t *testing.T) {
	t.Parallel()
	huge := `{"decision":"APPROVED","summary":"` + strings.Repeat("x", 21<<20) + `"}`
	w := specWorld(t, codextest.Always(codextest.Message(huge)))
	began := time.Now()
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if text := o.saved(o.reviews()[0].Path); !strings.Contains(text, "answer is too large") {
		t.Errorf("after %v the review says:\n%s", time.Since(began), text)
	}
	if n := w.model.Count(); n != 1 {
		t.Errorf("%d model requests", n)
	}
}

// TestFullDisk: what does not fit is not there at all.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	w := twoSpecs(t)
	w.vars["INPUT_GITHUB_TOKEN"] = canaryToken // a shell hands on no name with a hyphen
	cmd, o := w.command(w.pull("opened"))
	// No file may grow beyond 8 KiB; the page of the report is larger.
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-c", `trap "" XFSZ; ulimit -f 16; exec "$0"`, binary}
	out := w.wait(cmd, o, cmd.Run())
	out.ends(2, "ERROR")
	if !strings.Contains(out.stdout, "report.html") {
		t.Errorf("nobody is told:\n%s", out.stdout)
	}
	err := filepath.Walk(out.outputs["report-dir"], func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		data := read(t, path)
		whole := strings.HasSuffix(path, ".md") || json.Valid([]byte(data))
		if strings.HasSuffix(path, ".jsonl") {
			lines := strings.Split(strings.TrimSuffix(data, "\n"), "\n")
			whole = !slices.ContainsFunc(lines, func(l string) bool { return !json.Valid([]byte(l)) })
		}
		if !whole {
			t.Errorf("%s is there in part, %d bytes", path, len(data))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLocalCleansUp: what a run leaves in the temporary folder it names.
func TestLocalCleansUp(t *testing.T) {
	t.Parallel()
	clone := localClone(t, goodSpec)
	for name, args := range map[string][]string{
		"reviewed":        nil,
		"as JSON":         {"--json"},
		"nothing":         {"--type", "vision"},
		"no base":         {"--base", "nowhere"},
		"no evidence":     {"--test-results", "none.xml", "--type", "implementation,spec"},
		"broken evidence": {"--test-results", "ROADMAP.md"},
		"no engine":       {"--engine", "codex", "--codex-path", "/nonexistent/codex"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			cmd := exec.Command(binary, append([]string{"local", "--repo", clone, "--base", "origin/main", "--engine", "rules"},
				args...)...)
			cmd.Env = []string{"PATH=/nonexistent", "HOME=" + t.TempDir(), "TMPDIR=" + temp, "OPENAI_API_KEY=" + canaryKey}
			out, _ := cmd.CombinedOutput()
			left, err := os.ReadDir(temp)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range left {
				if !strings.Contains(string(out), e.Name()) {
					t.Errorf("%s is left and not named:\n%s", e.Name(), out)
				}
			}
		})
	}
}

// TestActLinksToNothing: a rehearsal has no pages that its summary could link to.
func TestActLinksToNothing(t *testing.T) {
	t.Parallel()
	w := specWorld(t, codextest.Always(answer("NEEDS-CHANGES", issue("High", "Hole", "specs/proposed/login.md", 3))))
	w.vars["ACT"] = "true"
	o := w.run(w.pull("opened"))
	o.ends(1, "NEEDS-CHANGES")
	for name, text := range map[string]string{
		"summary": o.summary, "page": o.saved("report.html"),
		"review": o.saved(o.reviews()[0].Path),
	} {
		if strings.Contains(text, w.gh.URL) || strings.Contains(text, "](") {
			t.Errorf("the %s has a link:\n%s", name, text)
		}
	}
	if !strings.Contains(o.summary, o.reviews()[0].Path) {
		t.Errorf("the summary does not name the review file:\n%s", o.summary)
	}
}
