//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// executed is the shell block of docs/internals/act.md that follows a marker.
func executed(t *testing.T, what string) string {
	t.Helper()
	re := regexp.MustCompile("(?s)<!-- executed: " + regexp.QuoteMeta(what) + " -->\n\n```bash\n(.*?)```")
	m := re.FindStringSubmatch(read(t, filepath.Join(root, "docs", "internals", "act.md")))
	if m == nil {
		t.Fatalf("docs/internals/act.md has no block %q", what)
	}
	return m[1]
}

// TestReadme runs what docs/internals/act.md says, to the letter, in a clone of this
// repository: without a key, and then with one in the place that this made.
func TestReadme(t *testing.T) {
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, ".", "clone", "-q", absolute(t, root), clone)
	git(t, clone, "checkout", "-q", "-B", "main")
	model := codextest.New(t, codextest.Always(approved))
	place := filepath.Join(t.TempDir(), "place")
	script := "set -e\n" + executed(t, "without a key") + "echo \"$try\" > " + place + "\n" +
		"export OPENAI_API_KEY=" + canaryKey + "\n" + executed(t, "with a key")
	cmd := exec.Command("bash", "-c", script)
	code, log := actScript(t, clone, "--container-options --label="+setup.label+"\n--var RESPONSES_API_ENDPOINT="+model.Endpoint()+"\n",
		cmd)
	if code != 0 {
		t.Fatalf("the commands end with status %d\n%s", code, log)
	}
	try := strings.TrimSpace(read(t, place))
	t.Cleanup(func() { _ = os.RemoveAll(try) })
	files := git(t, filepath.Join(try, "origin.git"), "ls-tree", "-r", "--name-only", "feature/link-expiry")
	if n := strings.Count(files, "reviews/specs/"); n != 2 || !strings.Contains(files, "specs/todo/link-expiry.md") {
		t.Errorf("the origin holds %d reviews: %s", n, files)
	}
	if n := model.Count(); n != 1 {
		t.Errorf("the model was asked %d times\n%s", n, log)
	}
	if !strings.Contains(log, "**Decision:** APPROVED") {
		t.Errorf("no review was shown:\n%s", log)
	}
}
