package main_test

import (
	"bufio"
	"fmt"
	"testing"

	"workflow-reviewer/internal/codex/codextest"
)

// BenchmarkJob is one whole run of the process on a pull request with one spec
// and a model that answers at once: fetch, plan, review, commit, publish.
func BenchmarkJob(b *testing.B) { benchJob(b, 1) }

// BenchmarkJob8 is the same with eight specs, reviewed at the same time.
func BenchmarkJob8(b *testing.B) { benchJob(b, 8) }

func benchJob(b *testing.B, specs int) {
	files := map[string]string{}
	for i := range specs {
		files[fmt.Sprintf("specs/proposed/login-%d.md", i)] = goodSpec
	}
	w := newWorld(b, map[string]string{"ROADMAP.md": roadmap, ".workflow/config.json": config}, files,
		codextest.Always(answer("APPROVED"))).withCodex()
	w.inputs["max-parallel"], w.inputs["commit"] = "8", "off"
	b.ResetTimer()
	for b.Loop() {
		w.run(w.pull("opened")).ends(0, "APPROVED")
	}
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
