package prove

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/evidence"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/testcount"
)

// testName is a test in what a report calls it, as Go and Python declare it: without what stands
// for one of its cases.
var testName = lazyregexp.New(`[.:]((?:Test|Fuzz|Example|test)\w*)(?:[/\[].*)?$`)

// place says of failures whose report tells no file which approved test file declares them, where
// one alone does.
func (p *prover) place(failures []evidence.Failure) {
	texts := map[string][]byte{}
	for _, f := range p.Approved {
		if src, err := p.Content(f.Blob); err == nil && f.Role == approval.Test {
			texts[f.Path] = src
		}
	}
	for i, f := range failures {
		module := strings.ReplaceAll(f.Name, ".", "/") + ".py" // one that cannot be collected
		name := testName.FindStringSubmatch(f.Name)
		switch {
		case f.File != "":
			continue
		case texts[module] != nil:
			failures[i].File = module
			continue
		case name == nil:
			continue
		}
		declared := lazyregexp.New(`\b(?:func|def)\s+` + name[1] + `\b`)
		var in []string
		for path, src := range texts {
			if declared.Match(src) {
				in = append(in, path)
			}
		}
		if len(in) == 1 {
			failures[i].File = in[0]
		}
	}
}

// Demand is how many tests approved files hold, by syntax. content reads a blob.
func Demand(ctx context.Context, files []approval.File, content func(blob string) ([]byte, error)) (evidence.Demand, error) {
	var sum testcount.Count
	for _, f := range files {
		if f.Role != approval.Test || !isRegular(f.Mode) {
			continue
		}
		src, err := content(f.Blob)
		if errors.Is(err, change.ErrTooLarge) || errors.Is(err, change.ErrLFSPointer) {
			continue
		}
		if err != nil {
			return evidence.Demand{}, fmt.Errorf("approved %q: %w", f.Path, err)
		}
		sum = sum.Add(testcount.Of(ctx, f.Path, src))
	}
	return evidence.Demand{Tests: sum.Tests, Skipped: sum.Skips}, ctx.Err()
}
