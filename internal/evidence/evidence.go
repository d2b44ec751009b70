// Package evidence is the file in which `prove` says what came of running approved tests, and how
// others read it.
package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/strictjson"
	"workflow-reviewer/schema"
)

// Format names the format of a file. schema/evidence.schema.json describes it; a reader takes no
// other.
const Format = "workflow-reviewer/evidence@1"

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 16 << 20

// Evidence is what one call of prove found out.
type Evidence struct {
	Schema string `json:"schema" jsonschema:"enum=workflow-reviewer/evidence@1"`
	// The commit that was checked out.
	Head string `json:"head" jsonschema:"pattern=^[0-9a-f]{40}([0-9a-f]{24})?$"`
	// Its parents, the first one first.
	Parents []string `json:"parents" jsonschema:"maxItems=1000,pattern=^[0-9a-f]{40}([0-9a-f]{24})?$"`
	// The commit that the approval records were read from, or whose tests were taken as approved.
	Base string `json:"base" jsonschema:"pattern=^[0-9a-f]{40}([0-9a-f]{24})?$"`
	// The approved sets that were run.
	Approved []Approved `json:"approved" jsonschema:"maxItems=10000"`
	// Paths whose approved content was written over the head's, sorted.
	Restored []string `json:"restored" jsonschema:"maxItems=100000,maxLength=4096"`
	// Paths of the test side that nobody approved and that were not there during the run, sorted.
	SetAside []string `json:"set_aside" jsonschema:"maxItems=100000,maxLength=4096"`
	// Sources that may run in the place of what tests mean: changed ones that the command names,
	// new ones that bear the name of another module.
	Shadowing []string `json:"shadowing" jsonschema:"maxItems=100000,maxLength=4096"`
	// The command and its arguments.
	Command []string `json:"command" jsonschema:"minItems=1,maxItems=100000"`
	// Exit status of the command; 128 and the signal's number if one ended it.
	Exit  int   `json:"exit" jsonschema:"minimum=0,maximum=4294967295"`
	Tests Tests `json:"tests"`
	// Tests that did not pass, as many as the results name.
	Failures []Failure `json:"failures" jsonschema:"maxItems=10000"`
	// The same tests on the merge base's sources, where they were run.
	Before *Before `json:"before,omitempty"`
	// The files that the counts were read from; none: the exit status alone counts.
	Results []Result `json:"results" jsonschema:"maxItems=10000"`
	// The head's new and changed tests were run on the merge base's sources.
	Red bool `json:"red"`
	// The program that wrote the file, with its version.
	Tool string `json:"tool" jsonschema:"maxLength=200"`
}

// Approved is one approved set of tests.
type Approved struct {
	Feature string `json:"feature" jsonschema:"maxLength=4096"`
	// Blob id of the approval record; where there is none, id of the commit that approved the
	// tests.
	Record string `json:"record" jsonschema:"pattern=^[0-9a-f]{40}([0-9a-f]{24})?$"`
}

// Tests are counts of tests; skipped ones did not run.
type Tests struct {
	Run     int `json:"run" jsonschema:"minimum=0,maximum=100000000"`
	Passed  int `json:"passed" jsonschema:"minimum=0,maximum=100000000"`
	Failed  int `json:"failed" jsonschema:"minimum=0,maximum=100000000"`
	Skipped int `json:"skipped" jsonschema:"minimum=0,maximum=100000000"`
}

// Failure is one test that failed or broke.
type Failure struct {
	Name    string `json:"name" jsonschema:"maxLength=4096"`
	File    string `json:"file" jsonschema:"maxLength=4096"`
	Message string `json:"message" jsonschema:"maxLength=65536"`
	// The test fails on the merge base's sources as well.
	Before bool `json:"before,omitempty"`
}

// Before is the run on the merge base's sources.
type Before struct {
	Exit  int   `json:"exit" jsonschema:"minimum=0,maximum=4294967295"`
	Tests Tests `json:"tests"`
}

// Result is one file of test results.
type Result struct {
	Path   string `json:"path" jsonschema:"maxLength=4096"`
	SHA256 string `json:"sha256" jsonschema:"pattern=^[0-9a-f]{64}$"`
}

// maxDepth is how deep the values of a file are nested.
const maxDepth = 3

// Parse reads a file strictly: one that is too large, is cut off, repeats a key or does not fit the
// schema is an error. Whoever opens the file refuses links.
func Parse(data []byte) (Evidence, error) {
	if len(data) > MaxFile {
		const why = "it has %d bytes, at most %d MiB are read"
		return Evidence{}, fmt.Errorf(why, len(data), MaxFile>>20)
	}
	data = bom.UTF8(data)
	var e Evidence
	if err := strictjson.Decode(data, &e, maxDepth, nil); err != nil {
		return Evidence{}, err
	}
	var value any
	if err := strictjson.Unmarshal(data, &value); err != nil {
		return Evidence{}, err
	}
	if err := fileSchema().Check(value); err != nil {
		return Evidence{}, err
	}
	return e, e.check()
}

// check finds counts that contradict each other.
func (e Evidence) check() error {
	counts := []Tests{e.Tests}
	if e.Before != nil {
		counts = append(counts, e.Before.Tests)
	}
	for _, t := range counts {
		if t.Run != t.Passed+t.Failed {
			return fmt.Errorf(
				"%d tests ran, but %d passed and %d failed", t.Run, t.Passed, t.Failed,
			)
		}
	}
	if len(e.Failures) > e.Tests.Failed {
		return fmt.Errorf("%d failures are named, %d are counted", len(e.Failures), e.Tests.Failed)
	}
	return nil
}

// Counted reports whether the tests were counted from results; otherwise the exit status alone is
// known.
func (e Evidence) Counted() bool { return len(e.Results) > 0 }

// Counting are the failures that the merge base's sources do not show as well.
func (e Evidence) Counting() []Failure {
	return slices.DeleteFunc(slices.Clone(e.Failures), func(f Failure) bool { return f.Before })
}

// Render is the evidence as its file holds it.
func (e Evidence) Render() ([]byte, error) {
	e.Schema = Format
	for _, list := range []*[]string{&e.Parents, &e.Restored, &e.SetAside, &e.Shadowing} {
		if *list == nil {
			*list = []string{}
		}
	}
	if e.Approved == nil {
		e.Approved = []Approved{}
	}
	if e.Failures == nil {
		e.Failures = []Failure{}
	}
	if e.Results == nil {
		e.Results = []Result{}
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(e)
	return b.Bytes(), err
}

// fileSchema is made when the first file is read.
var fileSchema = sync.OnceValue(func() strictjson.Schema {
	return strictjson.MustSchema(schema.Evidence)
})
