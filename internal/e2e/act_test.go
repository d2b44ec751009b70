//go:build e2e

package e2e

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workflow-reviewer/internal/github/githubtest"
)

// root is the repository's, seen from this package.
const root = "../.."

// act runs act in a folder, with a home of its own, and returns its exit status
// and log. Runs of act do not go on at the same time: it names containers after
// workflow and job alone.
func act(t testing.TB, dir, actrc string, args ...string) (code int, log string) {
	t.Helper()
	return actScript(t, dir, actrc, exec.Command(setup.act, args...))
}

func actScript(t testing.TB, dir, actrc string, cmd *exec.Cmd) (code int, log string) {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, ".actrc"), actrc)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
	cmd.Env = append(append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "TMPDIR="+t.TempDir(),
		"PATH="+filepath.Dir(setup.act)+":"+os.Getenv("PATH"),
		"GIT_AUTHOR_NAME=octocat", "GIT_AUTHOR_EMAIL=octocat@github.example",
		"GIT_COMMITTER_NAME=octocat", "GIT_COMMITTER_EMAIL=octocat@github.example",
	), cmd.Env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for _, secret := range []string{canaryKey, canaryToken} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log holds the secret %s…", secret[:9])
		}
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// consumer runs a workflow of a repository that names the action by its tag, on
// the world's GitHub, as if the event had happened there.
func (w *world) consumer(workflow string, ev githubtest.Event, args ...string) (code int, log string) {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "hello")
	git(w.t, ".", "clone", "-q", "--branch", branch, w.repo.Dir, dir)
	event := filepath.Join(w.t.TempDir(), "event.json")
	write(w.t, event, string(w.gh.EventPayload(ev)))
	const key = "openai-api-key: ${{ secrets.OPENAI_API_KEY }}"
	text := read(w.t, workflow)
	if w.model != nil {
		args = append(args, "-s", "OPENAI_API_KEY="+canaryKey)
		text = strings.Replace(text, key, key+"\n          responses-api-endpoint: "+w.model.Endpoint(), 1)
	}
	workflow = filepath.Join(w.t.TempDir(), "workflow.yml")
	write(w.t, workflow, text)
	args = append([]string{
		ev.Name, "-W", workflow, "-e", event, "-P", "ubuntu-latest=" + setup.base, "--pull=false", "--rebuild=false", "--rm",
		"--container-options", "--label " + setup.label, "--local-repository", "OWNER/workflow-reviewer@v1=" + absolute(w.t, root),
		"--env", "GITHUB_SERVER_URL=" + w.gh.URL, "--env", "GITHUB_API_URL=" + w.gh.APIURL(), "--env",
		"GITHUB_GRAPHQL_URL=" + w.gh.GraphQLURL(),
		"--env", "GITHUB_REPOSITORY=octo-org/hello", "-s", "GITHUB_TOKEN=" + canaryToken,
	}, args...)
	return act(w.t, dir, "", args...)
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// asked reports whether GitHub granted a request whose path ends so and whose
// body speaks of something.
func (w *world) asked(method, suffix, of string) bool {
	for _, r := range w.gh.Requests() {
		if r.Method == method && strings.HasSuffix(r.Path, suffix) && strings.Contains(string(r.Body), of) && r.Status < 300 {
			return true
		}
	}
	return false
}
