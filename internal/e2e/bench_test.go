//go:build e2e

package e2e

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/github/githubtest"
)

// bareProgram does nothing but to say so.
const bareProgram = `package main

import (
	"net/http"
	"os"
)

func main() {
	os.Stdout.WriteString("started\n")
	if url := os.Getenv("GITHUB_API_URL"); url != "" {
		http.Get(url + "/started")
	}
}
`

// bareImage makes an image that holds the bare program, under a name.
func bareImage(b *testing.B, name string) string {
	b.Helper()
	dir := b.TempDir()
	write(b, filepath.Join(dir, "main.go"), bareProgram)
	build := exec.Command("go", "build", "-o", "bare", "main.go")
	build.Dir, build.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	pack := exec.Command("bash", "-c", `tar -C "$1" -c bare | docker import --change 'ENTRYPOINT ["/bare"]' - "$2"`, "_", dir, name)
	if out, err := pack.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Cleanup(func() { _ = exec.Command("docker", "rmi", "-f", name).Run() })
	return name
}

// firstLine notes when something was first written that people see in the log.
type firstLine struct {
	mu   sync.Mutex
	when time.Time
	buf  bytes.Buffer
}

func (f *firstLine) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.buf.Write(p)
	if f.when.IsZero() && unmasked(f.buf.String()) != "" {
		f.when = time.Now()
	}
	return len(p), nil
}

// timed runs a command and returns how long its first line and its end took.
func timed(b *testing.B, cmd *exec.Cmd) (first, whole time.Duration) {
	b.Helper()
	var out firstLine
	cmd.Stdout, cmd.Stderr = &out, io.Discard
	began := time.Now()
	if err := cmd.Run(); err != nil {
		b.Fatalf("%v: %v\n%s", cmd.Args, err, out.buf.String())
	}
	return out.when.Sub(began), time.Since(began)
}

// least reports the least of durations in milliseconds and returns it: what
// else a machine does only adds to them.
func least(b *testing.B, name string, all []time.Duration) float64 {
	b.Helper()
	ms := float64(slices.Min(all).Microseconds()) / 1000
	b.ReportMetric(ms, name)
	return ms
}

// BenchmarkStart is how much later than that of a bare program the action's
// first line shows up: of a run that ends at once, and of one that reviews.
func BenchmarkStart(b *testing.B) {
	bare := bareImage(b, "workflow-reviewer-e2e:bare")
	w := newWorld(b, nil)
	w.gh.AddPull(githubtest.PR{Number: 8, Title: "Draft", Head: branch, Draft: true})
	w.inputs["commit"] = "off"
	m := newMachine(b)
	var bares, drafts, reviews []time.Duration
	for b.Loop() {
		first, _ := timed(b, exec.Command("docker", "run", "--rm", "--network", "host", "--label", setup.label, bare))
		bares = append(bares, first)
		first, _ = timed(b, m.client(w, githubtest.Event{Name: "pull_request", Action: "opened", Number: 8}, "--rm"))
		drafts = append(drafts, first)
		first, _ = timed(b, m.client(w, pull("opened"), "--rm"))
		reviews = append(reviews, first)
	}
	base := least(b, "bare-ms", bares)
	b.ReportMetric(least(b, "draft-ms", drafts)-base, "draft-beyond-bare-ms")
	b.ReportMetric(least(b, "review-ms", reviews)-base, "review-beyond-bare-ms")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSpec is one spec with a model that answers at once: in the container,
// less what a bare container takes, and by the same program outside.
func BenchmarkSpec(b *testing.B) {
	bare := bareImage(b, "workflow-reviewer-e2e:bare")
	w := newWorld(b, codextest.Always(approved))
	w.inputs["commit"] = "off"
	m := newMachine(b)
	programs := b.TempDir()
	id := docker(b, "create", "--label", setup.label, setup.image)
	docker(b, "cp", id+":/usr/local/bin/.", programs)
	docker(b, "rm", id)
	var bares, inside, outside []time.Duration
	for b.Loop() {
		_, whole := timed(b, exec.Command("docker", "run", "--rm", "--network", "host", "--label", setup.label, bare))
		bares = append(bares, whole)
		_, whole = timed(b, m.client(w, pull("opened"), "--rm"))
		inside = append(inside, whole)
		cmd := exec.Command(filepath.Join(programs, "workflow-reviewer"))
		cmd.Dir, cmd.Env = m.workspace, []string{"PATH=" + programs, "HOME=" + b.TempDir(), "GITHUB_WORKSPACE=" + m.workspace}
		for k, v := range w.gh.Env(pull("opened")) {
			cmd.Env = append(cmd.Env, k+"="+v)
		}
		for k, v := range w.inputs {
			cmd.Env = append(cmd.Env, "INPUT_"+strings.ToUpper(k)+"="+v)
		}
		_, whole = timed(b, cmd)
		outside = append(outside, whole)
	}
	in, out := least(b, "container-ms", inside), least(b, "outside-ms", outside)
	b.ReportMetric((in-least(b, "bare-ms", bares))/out, "container/outside")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkAct is how long after its own start act has the action running: ours,
// and a bare one.
func BenchmarkAct(b *testing.B) {
	bareImage(b, "act-owner-bare-v1-dockeraction:latest")
	action := b.TempDir()
	write(b, filepath.Join(action, "action.yml"), "name: bare\ndescription: does nothing\nruns: {using: docker, image: Dockerfile}\n")
	workflow := func(uses string) string {
		path := filepath.Join(b.TempDir(), "workflow.yml")
		write(b, path, "name: Start\non: pull_request\njobs:\n  start:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: "+uses+"\n")
		return path
	}
	ours, bare := workflow("OWNER/workflow-reviewer@v1\n        with: {engine: rules, commit: 'off'}"), workflow("OWNER/bare@v1")
	var our, bares []time.Duration
	for b.Loop() {
		bares = append(bares, untilAsked(b, bare, "--local-repository", "OWNER/bare@v1="+action))
		our = append(our, untilAsked(b, ours))
	}
	b.ReportMetric(least(b, "action-ms", our)-least(b, "bare-ms", bares), "action-beyond-bare-ms")
	b.ReportMetric(0, "ns/op")
}

// untilAsked is the time from the start of act to the first request that its
// action makes.
func untilAsked(b *testing.B, workflow string, args ...string) time.Duration {
	b.Helper()
	w := newWorld(b, nil)
	asked := make(chan time.Time, 1)
	w.gh.Fail(func(githubtest.Call) *githubtest.Fault {
		select {
		case asked <- time.Now():
		default:
		}
		return &githubtest.Fault{Status: http.StatusNotFound}
	})
	began := time.Now()
	_, log := w.consumer(workflow, pull("opened"), args...)
	select {
	case when := <-asked:
		return when.Sub(began)
	default:
		b.Fatalf("the action asked nothing:\n%s", log)
		return 0
	}
}
