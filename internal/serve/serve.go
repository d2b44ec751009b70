// Package serve answers tools over standard input and output: those for whoever writes, and the
// read-only ones that a reviewing model looks around with.
package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/engine"
	"workflow-reviewer/internal/gitrepo"
	"workflow-reviewer/internal/localrun"
	"workflow-reviewer/internal/mcpserver"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/review"
)

// Writers serves the tools for writers over standard input and output, of which the latter carries
// nothing but the protocol. It ends with 0 when its input ends, and with 2 for what is not of the
// protocol.
func Writers(ctx context.Context, env process.Env, args []string) int {
	inputs := map[string]string{"openai-api-key": env.Get("OPENAI_API_KEY")}
	opt := struct {
		Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
		Base string `flag:"base" arg:"REF" usage:"REF to compare with (default: the default branch)"`
	}{Repo: env.Dir}
	fs := cli.Flags("serve", &opt)
	for flagName, input := range localrun.Inputs() {
		switch input {
		case "test-results", "coverage-report", "evidence", "findings", "auto-move":
			continue // each call says its own
		}
		fs.Func(flagName, "as the action's input "+input, func(v string) error {
			inputs[input] = v
			return nil
		})
	}
	if err := cli.ParseFlags(fs, args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	return cli.Exit(env.Stderr, serve(ctx, env, opt.Repo, opt.Base, inputs))
}

// serve answers the tools of writers until standard input ends. Inputs are those of the action;
// without an engine it takes codex where key and program are there. Standard output carries
// nothing but the protocol: whatever a call prints goes to standard error.
func serve(
	ctx context.Context, env process.Env, repo, base string, inputs map[string]string,
) (err error) {
	root := gitrepo.Root(repo)
	if root == "" {
		return fmt.Errorf("%s is in no git repository; name one with --repo", repo)
	}
	why := ""
	if inputs["engine"] == "" {
		var name config.Engine
		name, why = engine.Choose(ctx, env, inputs["codex-path"])
		inputs["engine"] = string(name)
	}
	in, err := localrun.Options{Inputs: inputs}.Parse()
	if err != nil {
		return err
	}
	if why == "" && in.Engine == config.Codex {
		why = engine.MissingForModel(ctx, env, in)
	}
	temp, err := os.MkdirTemp(env.Temp(), "workflow-reviewer-serve-")
	if err != nil {
		return fmt.Errorf("make a working folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	w := &writers{env: env, root: root, base: base, inputs: inputs}
	w.env.Vars = maps.Clone(env.Vars)
	w.env.Vars["RUNNER_TEMP"] = temp // all that a call leaves goes with it
	w.env.Stdout = toStderr{env.Stderr}
	fmt.Fprintf(
		env.Stderr, "workflow-reviewer: serving %s on standard input and output, engine %s%s\n",
		root, in.Engine, why,
	)
	return mcpserver.ServeWriters(
		ctx, w, mcpserver.WritersOptions{Version: env.Version, MaxParallel: in.MaxParallel},
		env.Stdin, env.Stdout,
	)
}

// toStderr is standard output for whatever a call prints.
type toStderr struct{ io.Writer }

// Close implements io.Closer; the stream is the process's.
func (toStderr) Close() error { return nil }

// writers does what the tools for writers ask for, each call in a run of its own.
type writers struct {
	env    process.Env
	root   string
	base   string
	inputs map[string]string

	writing sync.Mutex // of one call at a time to the work tree
}

var _ mcpserver.Writers = (*writers)(nil)

// Review implements mcpserver.Writers. Each call reads the repository afresh: the caller edits it
// meanwhile.
func (w *writers) Review(
	ctx context.Context, call mcpserver.ReviewCall, tell func(string),
) (mcpserver.ReviewAnswer, error) {
	c := &reviewCall{writers: w, call: call, tell: tell}
	opt := w.options(call.Base, call.Revision)
	opt.Call = c
	opt.Inputs["types"] = string(call.Type)
	opt.Inputs["effort"] = cmp.Or(call.ReasoningEffort, opt.Inputs["effort"])
	opt.Inputs["auto-move"] = strconv.FormatBool(c.moves())
	opt.Inputs["coverage-report"] = call.CoverageReport
	if c.moves() && call.Revision != "" {
		return mcpserver.ReviewAnswer{}, errors.New(
			"a document is moved in the work tree, and revision names another state of it; leave " +
				"one of them out",
		)
	}
	if err := c.takeResults(opt.Inputs); err != nil {
		return mcpserver.ReviewAnswer{}, err
	}
	rep, err := localrun.Run(ctx, w.env, opt)
	defer os.RemoveAll(rep.Dir) //nolint:errcheck // in the folder of the server, which goes too
	if err != nil {
		return mcpserver.ReviewAnswer{}, pipeline.Advised(ctx, err)
	}
	return c.answer(rep)
}

// CheckIntegrity implements mcpserver.Writers. Evidence is read below the root alone.
func (w *writers) CheckIntegrity(
	ctx context.Context, call mcpserver.IntegrityCall,
) (json.RawMessage, error) {
	if call.Approved != "" && call.Base != "" {
		return nil, errors.New(
			"approved and base exclude each other: the former takes a revision's tests as " +
				"approved, the latter reads its approval records",
		)
	}
	opt := localrun.IntegrityOptions{
		Repo: w.root, Approved: call.Approved, Base: call.Base, Head: cmp.Or(call.Revision, "HEAD"),
		Worktree: call.Revision == "", Feature: call.Feature,
		Config: cmp.Or(w.inputs["config"], config.DefaultPath),
	}
	if opt.Approved == "" {
		opt.Base = cmp.Or(opt.Base, w.base)
	}
	for _, p := range call.Evidence {
		if !filepath.IsLocal(p) {
			return nil, fmt.Errorf(
				"evidence %q is outside of the repository: name its path from the root", p,
			)
		}
		opt.Evidence = append(opt.Evidence, filepath.Join(w.root, p))
	}
	rep, err := localrun.IntegrityReport(ctx, w.env, opt)
	if err != nil {
		return nil, pipeline.Advised(ctx, err)
	}
	return rep.JSON()
}

// AskAboutTest implements mcpserver.Writers. Synonyms of parameters are understood; the first that
// is given counts.
func (w *writers) AskAboutTest(
	ctx context.Context, call mcpserver.TestCall,
) (out mcpserver.TestAnswer, err error) {
	q := review.TestQuestion{
		Path: cmp.Or(call.TestFile, call.Path), Name: call.TestName, Line: call.Line,
		Reason: cmp.Or(
			call.Conflict, call.Reason, call.ConflictDescription,
		), SpecPath: call.SpecPath,
	}
	if call.Evidence != nil {
		q.Quotes = []string{call.Evidence.SpecQuote, call.Evidence.TestCode}
	}
	if q.Path == "" || q.Reason == "" {
		return out, errors.New(
			"test_file and conflict are needed: which test it is, and what it demands against " +
				"the spec",
		)
	}
	answer, err := localrun.AskAboutTest(ctx, w.env, w.options("", ""), q)
	if err != nil {
		return out, pipeline.Advised(ctx, err)
	}
	return mcpserver.TestAnswer{
		Answer: string(
			answer.Answer,
		), Decision: string(answer.Answer), Explanation: answer.Explanation,
		SpecReference: answer.SpecReference(), SpecQuote: answer.SpecQuote,
		Fix:  answer.ShouldDemand,
		Next: pipeline.NextStep(answer.Answer), Tokens: answer.Tokens,
	}, nil
}
