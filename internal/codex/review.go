package codex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"workflow-reviewer/internal/review"
)

// maxAnswer is the longest answer that is read, in bytes.
const maxAnswer = 4 << 20

// Review runs one turn of codex. An answer counts only if codex ended well,
// said that the turn is completed, and left a last message that is not empty.
func (e *Engine) Review(ctx context.Context, req review.Request) (review.Reply, error) {
	start := time.Now()
	if err := e.check(req); err != nil {
		return review.Reply{}, err
	}
	dir, err := e.prepare(req)
	if err != nil {
		const do = "see that the folder for temporary files is writable and has room"
		return review.Reply{}, setup(do, err)
	}
	defer func() { _ = os.RemoveAll(string(dir)) }() // Close removes what is left

	c, gateURL := e.gate.open()
	defer e.gate.shut(c)
	ev := newEvents()
	cmd := exec.CommandContext(ctx, e.bin.path, e.args(req, dir, gateURL)...) //nolint:gosec // ours
	cmd.Env, cmd.Dir = environment(e.opts.PathEnv, e.home), dir.cwd()
	cmd.Stdin, cmd.Stdout = strings.NewReader(req.Prompt), ev
	o := outcome{req: req, events: ev, ended: run(cmd)}
	o.seen, o.answer = c.seen(), readAnswer(dir.answer())
	e.opts.Log("%s: codex ended after %s: %s",
		req.Name, time.Since(start).Round(time.Millisecond), e.describe(o))
	if err := e.failure(ctx, o); err != nil {
		err.Tokens = o.seen.tokens
		return review.Reply{}, err
	}
	return e.reply(o), nil
}

// check refuses what codex itself would refuse with less clear words.
func (e *Engine) check(req review.Request) error {
	switch {
	case strings.TrimSpace(req.Instructions) == "" || strings.TrimSpace(req.Prompt) == "":
		return internal("the request has no instructions or no prompt")
	case !utf8.ValidString(req.Prompt) || !utf8.ValidString(req.Instructions):
		return internal("the request is not UTF-8")
	case strings.ContainsRune(req.Model+req.Effort, 0):
		return requestError("the name of the model or effort holds a NUL byte")
	case utf8.RuneCountInString(req.Prompt) > review.MaxPrompt:
		why := fmt.Sprintf("the prompt is longer than %d characters", review.MaxPrompt)
		err := requestError(why)
		err.Action = "review fewer or smaller files at once"
		return err
	case e.bin.hosted[e.modelOf(req)] && !e.bin.hasHost:
		const do = "install codex whole: codex-code-mode-host belongs beside the codex binary"
		return setup(
			do,
			fmt.Errorf("the model %s needs codex-code-mode-host, which is not beside %q",
				e.modelOf(req), e.bin.path),
		)
	}
	return nil
}

func (e *Engine) modelOf(req review.Request) string {
	return cmp.Or(req.Model, e.bin.defaultModel)
}

// prepare writes a review's files. The caller removes the folder, which is "" on failure.
func (e *Engine) prepare(req review.Request) (folder, error) {
	dir, err := os.MkdirTemp(e.root, "review-")
	if err != nil {
		return "", fmt.Errorf("make a folder for the review: %w", err)
	}
	d := folder(dir)
	err = errors.Join(
		os.Mkdir(d.cwd(), 0o500),
		os.WriteFile(d.schema(), req.Schema, 0o600),
		os.WriteFile(d.instructions(), []byte(req.Instructions), 0o600),
	)
	if err != nil {
		_ = os.RemoveAll(dir) // the first error counts
		return "", fmt.Errorf("write the review's files: %w", err)
	}
	return d, nil
}

// readAnswer returns codex's last message; "" if there is none.
func readAnswer(file string) string {
	r, err := os.Open(filepath.Clean(file))
	if err != nil {
		return ""
	}
	defer func() { _ = r.Close() }() // it was only read
	b, err := io.ReadAll(io.LimitReader(r, maxAnswer))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// reply makes the reply of a review that ended well.
func (e *Engine) reply(o outcome) review.Reply {
	r := review.Reply{Text: o.answer, Model: o.seen.model, Tokens: o.seen.tokens}
	if r.Model == "" {
		r.Model = e.modelOf(o.req)
	}
	if m := o.req.Model; m != "" && e.bin.models != nil && !e.bin.models[m] {
		r.Notes = append(
			r.Notes,
			fmt.Sprintf("codex %s does not know the model %s and runs it with "+
				"fallback settings", e.bin.version, e.clean(m)),
		)
	}
	if o.seen.tokens.Total() == 0 {
		const silent = "the endpoint does not say how many tokens it used; they count as none"
		r.Notes = append(r.Notes, silent)
	}
	for _, n := range o.events.notes {
		// Said already, in words that name the version.
		if n = e.clean(n); !strings.HasPrefix(n, "Model metadata for") &&
			!slices.Contains(r.Notes, n) {
			r.Notes = append(r.Notes, "codex: "+n)
		}
	}
	return r
}
