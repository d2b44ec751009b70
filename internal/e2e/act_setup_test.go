//go:build e2e

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"workflow-reviewer/internal/github/githubtest"
)

// TestActEvidence: the workflow with test results, as a consumer has it. setup/ fetches the release and puts it on the
// runner's PATH, prove runs the approved tests there, and the review in the next job takes what came of it. act has the
// actions that carry files between jobs only from GitHub, so that two of this folder stand in for them.
func TestActEvidence(t *testing.T) {
	const approvedTest = "require('node:test')('adds', () => require('node:assert').strictEqual(require('../src/adder')(1, 2), 3))\n"
	w := customWorld(t, map[string]string{"README.md": "x\n"}, nil)
	w.repo.Commit("main", "Begin", githubtest.Text(map[string]string{
		"src/adder.js": "module.exports = (a, b) => a + b\n", "test/adder.test.js": approvedTest,
	}))
	blob := w.repo.Git("rev-parse", "main:test/adder.test.js")
	w.repo.Commit("main", "Approve tests: adder", githubtest.Text(map[string]string{
		".workflow/approvals/adder.json": fmt.Sprintf(`{"version":1,"feature":"adder","type":"tests","revision":1,`+
			`"review":"reviews/tests/20260101T000000-adder-APPROVED.md","head":%q,`+
			`"files":[{"path":"test/adder.test.js","mode":"100644","blob":%q,"sha256":"%x","role":"test"}]}`,
			w.repo.Resolve("main"), blob, sha256.Sum256([]byte(approvedTest))),
	}))
	w.repo.Git("update-ref", "refs/heads/"+branch, "main")
	w.repo.Commit(branch, "Work", githubtest.Text(map[string]string{"src/adder.js": "module.exports = (a, b) => a * b + 2\n"}))
	head, artifacts := w.head(), t.TempDir()
	t.Cleanup(func() { privileged(t, "rm", "-rf", artifacts) })

	flow, runner := filepath.Join(t.TempDir(), "flow.yml"), setup.label+":runner"
	write(t, flow, inJavaScript(t, read(t, filepath.Join(root, "examples/workflows/with-test-results.yml"))))
	docker(t, "build", "-q", "--network", "host", "--label", setup.label, "-t", runner, "-f", "testdata/runner.Dockerfile", "testdata")
	t.Cleanup(func() { docker(t, "rmi", runner) })
	args := []string{
		"-P", "ubuntu-latest=" + runner, "--local-repository", "OWNER/workflow-reviewer@v1=" + releasedAction(t),
		"--container-options", "--label " + setup.label + " --volume " + artifacts + ":/artifacts",
	}
	for _, line := range strings.Split(read(t, flow), "\n") {
		if _, uses, ok := strings.Cut(line, "uses: actions/"); ok && strings.Contains(uses, "-artifact@") {
			uses, _, _ = strings.Cut(uses, " ")
			name, _, _ := strings.Cut(uses, "@")
			args = append(args, "--local-repository", "actions/"+uses+"="+absolute(t, "testdata/actions/"+name))
		}
	}
	code, log := w.consumer(flow, pull("opened"), args...)
	if g := w.gate(head); code == 0 || g.Conclusion != "failure" || g.Title != "Approved tests fail" {
		t.Errorf("act ended %d, gate %+v\n%s", code, g, log)
	}
	if cs := w.gh.Comments(); len(cs) != 1 || !strings.Contains(cs[0].Body, "The code fails 1 approved test") {
		t.Errorf("comments %+v", cs)
	}
}

// inJavaScript is the workflow with another runner of tests, and the rules for a reviewer.
func inJavaScript(t *testing.T, flow string) string {
	t.Helper()
	const node = "node --test --test-reporter=junit --test-reporter-destination="
	for _, c := range [][2]string{
		{"pip install -r requirements.txt pytest pytest-cov", "node --version"},
		{"pytest --junitxml=approved.xml", node + "approved.xml"},
		{"pytest --junitxml=\"$RUNNER_TEMP/results/junit.xml\" --cov --cov-branch \\\n" +
			"            --cov-report=\"xml:$RUNNER_TEMP/results/coverage.xml\"", node + "\"$RUNNER_TEMP/results/junit.xml\""},
		{"          coverage-report: results/coverage.xml\n", ""},
		{"openai-api-key: ${{ secrets.OPENAI_API_KEY }}", "engine: rules"},
	} {
		if !strings.Contains(flow, c[0]) {
			t.Fatalf("the workflow has no %q", c[0])
		}
		flow = strings.ReplaceAll(flow, c[0], c[1])
	}
	return flow
}

// releasedAction is a folder with the action as a release has it, whose archive is that of the image's program.
func releasedAction(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"action.yml", "Dockerfile", "setup/action.yml", "setup/install.sh", "scripts/release-setup.sh"} {
		mkdir(t, filepath.Dir(filepath.Join(dir, name)))
		write(t, filepath.Join(dir, name), read(t, filepath.Join(root, name)))
	}
	for _, name := range []string{"setup/install.sh", "scripts/release-setup.sh"} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	archive := archiveOfImage(t, "workflow-reviewer-1.2.3-linux-"+runtime.GOARCH)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(archive) }))
	t.Cleanup(server.Close)
	sums := ""
	for _, platform := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64"} {
		sums += fmt.Sprintf("%x  workflow-reviewer-1.2.3-%s.tar.gz\n", sha256.Sum256(archive), platform)
	}
	write(t, filepath.Join(dir, "SHA256SUMS"), sums)
	cmd := exec.Command(filepath.Join(dir, "scripts/release-setup.sh"), "1.2.3", server.URL, filepath.Join(dir, "SHA256SUMS"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// archiveOfImage packs the program of the image as scripts/archive.sh does.
func archiveOfImage(t *testing.T, folder string) []byte {
	t.Helper()
	container := docker(t, "create", "--label", setup.label, setup.image)
	defer docker(t, "rm", container)
	program := filepath.Join(t.TempDir(), "program")
	docker(t, "cp", container+":/usr/local/bin/workflow-reviewer", program)
	data := read(t, program)
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	tw := tar.NewWriter(z)
	err := tw.WriteHeader(&tar.Header{Name: folder + "/workflow-reviewer", Mode: 0o755, Size: int64(len(data))})
	if err == nil {
		_, err = tw.Write([]byte(data))
	}
	if err == nil {
		err = tw.Close()
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
