package main_test

import (
	"bufio"
	"fmt"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
)

// BenchmarkJob is one whole run of the process on a pull request with one spec
// and a model that answers at once: fetch, plan, review, commit, publish.
func BenchmarkJob(b *testing.B) { benchJob(b, 1) }

// BenchmarkJob8 is the same with eight specs, reviewed at the same time.
func BenchmarkJob8(b *testing.B) { benchJob(b, 8) }

func benchJob(b *testing.B, specs int) {
	w := specsWorld(b, specs, codextest.Always(answer("APPROVED"))).withCodex()
	w.inputs["commit"] = "off"
	b.ResetTimer()
	for b.Loop() {
		w.run(w.pull("opened")).ends(0, "APPROVED")
	}
}

// specsWorld is a pull request with so many specs, reviewed at the same time.
func specsWorld(b testing.TB, specs int, answer func(codextest.Request) codextest.Response) *world {
	files := map[string]string{}
	for i := range specs {
		files[fmt.Sprintf("specs/proposed/login-%d.md", i)] = goodSpec
	}
	w := newWorld(b, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}, files, answer)
	w.inputs["max-parallel"] = "8"
	return w
}

// latency is how long a request to GitHub takes where its latency is measured.
const latency = 200 * time.Millisecond

// BenchmarkLatency is one whole run with one spec and a GitHub that is far away: until the model is
// first asked (first-question-s), and until the process ends.
func BenchmarkLatency(b *testing.B) { benchLatency(b, 1) }

// BenchmarkLatency8 is the same with eight specs.
func BenchmarkLatency8(b *testing.B) { benchLatency(b, 8) }

func benchLatency(b *testing.B, specs int) {
	var first, all time.Duration
	requests, n := 0, 0
	for b.Loop() {
		b.StopTimer()
		var began, asked time.Time
		var once sync.Once
		w := specsWorld(b, specs, func(r codextest.Request) codextest.Response {
			once.Do(func() { asked = time.Now() })
			return codextest.Always(answer("APPROVED"))(r)
		})
		w.gh.Delay(latency)
		event := w.pull("opened")
		b.StartTimer()
		began = time.Now()
		w.run(event).ends(0, "APPROVED")
		first, all = first+asked.Sub(began), all+time.Since(began)
		requests += len(w.gh.Requests())
		n++
	}
	b.ReportMetric(first.Seconds()/float64(n), "first-question-s")
	b.ReportMetric(all.Seconds()/float64(n), "whole-s")
	b.ReportMetric(float64(requests)/float64(n), "requests")
}

// BenchmarkRerun counts what an unchanged run asks of the model: nothing.
func BenchmarkRerun(b *testing.B) {
	w := specWorld(b, codextest.Always(answer("APPROVED"))).withCodex()
	w.run(w.pull("opened")).ends(0, "APPROVED")
	asked := w.model.Count()
	for b.Loop() {
		w.run(w.pull("synchronize")).ends(0, "APPROVED")
	}
	b.ReportMetric(float64(w.model.Count()-asked), "model-calls")
}

// BenchmarkStart is the time from the start of the process to the first line of
// its log.
func BenchmarkStart(b *testing.B) {
	w := specWorld(b, nil)
	for b.Loop() {
		cmd, _ := w.command(w.pull("opened"))
		cmd.Stdout = nil
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		b.StopTimer()
		if err != nil || line == "\n" {
			b.Errorf("first line %q, %v", line, err)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		b.StartTimer()
	}
}
