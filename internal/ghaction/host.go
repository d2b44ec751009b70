package ghaction

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/events"
	"workflow-reviewer/internal/github"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/redact"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/scope"
	"workflow-reviewer/internal/workflow"
)

// host is the job that a run is a step of: what it is given there, and what it leaves there.
type host struct {
	pipeline.Frame
	runner  *github.Runner
	closers []func()
}

// newHost masks the secrets in the log before anything else can print them.
func newHost(env process.Env) *host {
	h := &host{
		Frame:  pipeline.Frame{Env: env, Started: env.Now(), Redactor: redact.New()},
		runner: github.NewRunner(env.Get, env.Stdout),
	}
	for name, value := range env.Vars {
		switch strings.ReplaceAll(strings.ToUpper(name), "_", "-") {
		case "INPUT-OPENAI-API-KEY", "INPUT-GITHUB-TOKEN":
			h.runner.Mask(strings.TrimSpace(value))
		}
	}
	h.Events = &events.Stream{
		Now: env.Now, Log: h.runner.Info,
		Redact: func(s string) string { return h.Redactor.Text(s) },
	}
	if dir, err := process.NewFolder(env); err == nil { // else store tells
		h.Dir = dir
		h.later(dir.HandOver)
		h.later(dir.OpenEvents(h.Events))
	}
	return h
}

// later has f called at the very end, the last first: the report still reads from what the review
// opened.
func (h *host) later(f func()) { h.closers = append(h.closers, f) }

// close runs the closers, the last one first.
func (h *host) close() {
	for _, f := range slices.Backward(h.closers) {
		f()
	}
}

func (h *host) log(format string, args ...any) { h.runner.Info(fmt.Sprintf(format, args...)) }

// attempt is which one of the workflow run this is; 0 counts as the first.
func (h *host) attempt() int {
	n, _ := strconv.Atoi(h.Env.Get("GITHUB_RUN_ATTEMPT"))
	return n
}

// notice keeps a notice or warning for the report.
func (h *host) notice(level workflow.Level, format string, args ...any) {
	h.Notices = append(
		h.Notices, workflow.Finding{Level: level, Text: fmt.Sprintf(format, args...)},
	)
}

// store writes the report into its folder, making that first.
func (h *host) store(rep *report.Report) error {
	if h.Dir.Here == "" {
		dir, err := process.NewFolder(h.Env)
		if err != nil {
			return err
		}
		h.Dir = dir
	}
	rep.Dir = h.Dir.There
	return rep.Save(h.Dir.Here)
}

// subject is what a run is about: its inputs, its event, and what that asks for.
type subject struct {
	in       config.Inputs
	inErr    error // all that is wrong with the inputs
	ev       change.Event
	asked    triage
	commands workflow.Commands // as comments write them
}

// scope is what the run's verdict is about.
func (s subject) scope() scope.Scope {
	sc := scope.Scope{Pull: s.ev.Number, Base: s.ev.Base.Branch}
	if sc.Pull == 0 {
		sc.Event, sc.Branch = s.ev.Name, s.ev.Head.Branch
	}
	if s.ev.Name == "push" {
		sc.Base = s.ev.Base.SHA // the same commit pushed onto another one is another change
	}
	if len(s.in.Types) < len(workflow.Types()) {
		sc.Types = s.in.Types
	}
	sc.Paths = append(sc.Paths, s.in.Paths...)
	if s.in.ConfigPath != config.DefaultPath {
		sc.Config = s.in.ConfigPath
	}
	return sc
}

// speaks reports whether this process tells the verdict to people, and writes to the branch.
func (s subject) speaks() bool {
	return s.in.Mode != config.Plan && s.in.Mode != config.Review && s.in.Mode != config.Gate
}
