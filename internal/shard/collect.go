package shard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"time"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/internal/workflow"
	"workflow-reviewer/schema"
)

// Bounds of what is read of a folder with results, and of a result's date: a workflow run lasts 35
// days at most.
const (
	maxEntries = 4096 // of one folder
	maxAge     = 36 * 24 * time.Hour
	maxAhead   = 10 * time.Minute
)

const again = "Run the failed jobs again; if that does not help, run all jobs again."

var fileName = lazyregexp.New(`^results-([1-9][0-9]{0,2})\.json$`)

// Collect reads the results of a plan's shards from a folder, side by side or in one folder an
// artifact, and returns for each review what came back. What is missing, doubled, of another plan
// or does not fit is a failure of that review. A file is opened only if it is a regular one of at
// most MaxFile bytes. root may be nil: nothing is there, for the reason in why.
func (p Plan) Collect(
	root *os.Root, why string, now time.Time,
) (map[string]review.Exchange, []workflow.Finding) {
	out := map[string]review.Exchange{}
	found, notices := find(root)
	c := collector{p, root, strictjson.MustSchema(schema.Results), now}
	for _, s := range p.Shards {
		f, err := c.read(s.Number, found[s.Number])
		if err != nil && len(found[s.Number]) == 0 && why != "" {
			err = fmt.Errorf("%w: %s", err, why)
		}
		for _, j := range s.Jobs {
			out[j.Artifact.Name()] = f.of(j, s.Number, err)
		}
		delete(found, s.Number)
	}
	for n := range found {
		notices = append(notices, workflow.Finding{
			Level: workflow.Warn,
			Text:  fmt.Sprintf("%s is ignored: the plan has no shard %d", FileName(n), n),
		})
	}
	slices.SortFunc(notices, func(a, b workflow.Finding) int { return cmp.Compare(a.Text, b.Text) })
	return out, notices
}

// collector reads files for a plan.
type collector struct {
	Plan
	root   *os.Root
	schema strictjson.Schema
	now    time.Time
}

// find lists the files that are named as results, by the shard's number.
func find(root *os.Root) (map[int][]string, []workflow.Finding) {
	found := map[int][]string{}
	if root == nil {
		return found, nil
	}
	var notices []workflow.Finding
	list := func(dir string) (folders []string) {
		entries, err := readDir(root, dir)
		if err != nil {
			text := "The folder with results was not read whole: " + markdown.Line(err.Error(), 300)
			notices = append(notices, workflow.Finding{Level: workflow.Warn, Text: text})
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch m := fileName.FindStringSubmatch(e.Name()); {
			case m != nil:
				n, _ := strconv.Atoi(m[1]) // three digits
				found[n] = append(found[n], name)
			case e.IsDir():
				folders = append(folders, name)
			}
		}
		return folders
	}
	for _, dir := range list(".") {
		list(dir)
	}
	return found, notices
}

// readDir lists a folder, at most maxEntries of it, beside the error that there are more. Links on
// the way are not followed.
func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	entries, err := f.ReadDir(maxEntries + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if len(entries) > maxEntries {
		return entries[:maxEntries], fmt.Errorf("%s holds more than %d entries", dir, maxEntries)
	}
	return entries, err
}

// read returns the one file of a shard that counts. Of several the one of the
// latest attempt does, if all of them fit; two of one attempt are none.
func (c collector) read(number int, names []string) (Results, error) {
	var best Results
	for i, name := range names {
		f, err := c.readOne(name, number)
		switch {
		case err != nil:
			return Results{}, fmt.Errorf("%s %w", FileName(number), err)
		case i > 0 && f.Attempt == best.Attempt:
			return Results{}, fmt.Errorf("%s is there more than once", FileName(number))
		case f.Attempt > best.Attempt:
			best = f
		}
	}
	if len(names) == 0 {
		return Results{}, fmt.Errorf(
			"%s is missing: the shard did not run to its end, or its artifact was not downloaded",
			FileName(number),
		)
	}
	return best, nil
}

// readOne reads a file and holds it to its schema and to the plan. The error
// continues a sentence that begins with the file's name.
func (c collector) readOne(name string, number int) (Results, error) {
	data, err := measured.ReadPlain(MaxFile)(c.root, name)
	if err != nil {
		return Results{}, fmt.Errorf("cannot be read: %w", err)
	}
	f, err := parse(c.schema, data)
	if err != nil {
		return Results{}, fmt.Errorf("does not fit its schema: %s", markdown.Line(err.Error(), 300))
	}
	switch {
	case f.Head != c.Head:
		return Results{}, fmt.Errorf("is of another head, %.10s", f.Head)
	case f.Base != c.Base:
		return Results{}, fmt.Errorf("is of another base, %.10s", f.Base)
	case f.Plan != c.Digest || f.Shards != len(c.Shards):
		return Results{}, errors.New(
			"is of another plan: all jobs of a run need the same inputs, test results, evidence " +
				"and rights to read",
		)
	case f.Shard != number:
		return Results{}, fmt.Errorf("holds the results of shard %d", f.Shard)
	}
	known := map[string]bool{}
	for _, j := range c.Shards[number-1].Jobs {
		known[j.Artifact.Name()] = true
	}
	for _, e := range f.Reviews {
		name := workflow.Artifact{Type: e.Type, Feature: e.Feature}.Name()
		if !known[name] {
			return Results{}, fmt.Errorf(
				"holds %s twice, or from another shard", markdown.Line(name, 200),
			)
		}
		known[name] = false
		if age := c.now.Sub(e.Date); age > maxAge || age < -maxAhead {
			return Results{}, fmt.Errorf("holds a review of %s", e.Date.UTC().Format(time.RFC3339))
		}
	}
	return f, nil
}

// parse reads a file of results that fits its schema, which allows no other keys.
func parse(s strictjson.Schema, data []byte) (f Results, err error) {
	var value any
	if err := strictjson.Unmarshal(data, &value); err != nil {
		return f, err
	}
	if err := s.Check(value); err != nil {
		return f, err
	}
	return f, strictjson.Unmarshal(data, &f)
}

// of returns a file's entry for a job of its shard, or the reason why there is none.
func (f Results) of(j review.Job, number int, err error) review.Exchange {
	failed := func(message string) review.Exchange {
		return review.Exchange{
			Failure: &review.EngineError{Class: review.Results, Message: message, Action: again},
		}
	}
	if err != nil {
		return failed(
			"The result of shard " + strconv.Itoa(number) + " cannot be used: " + err.Error(),
		)
	}
	for _, e := range f.Reviews {
		if e.Type != j.Artifact.Type || e.Feature != j.Artifact.Feature {
			continue
		}
		if !e.about(j) {
			return failed(
				"The result of shard " + strconv.Itoa(
					number,
				) + " is of other files, or of another request",
			)
		}
		return e.exchange(f.Engine)
	}
	return failed("The result of shard " + strconv.Itoa(number) + " does not speak of this review")
}
