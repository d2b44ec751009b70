package testdiff

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// roleTest is approval.Test, which is what a file with tests is recorded as.
const roleTest = "test"

// pair compares one approved file with its counterpart.
func (c *comparison) pair(ctx context.Context, p Pair) {
	if p.AfterPath == "" {
		p.AfterPath = p.Path
	}
	before := len(c.out.Violations)
	switch {
	case p.After == nil:
		c.deleted(ctx, p)
	case kindOfMode(p.BeforeMode) != kindOfMode(p.AfterMode):
		c.add(violation.Added(violation.FileChanged, violation.Place{Path: p.AfterPath, Line: 1, Text: firstLine(p.After)},
			fmt.Sprintf("Approved file was %s and is %s now", kindOfMode(p.BeforeMode), kindOfMode(p.AfterMode))))
	case p.AfterPath != p.Path && p.Role == roleTest && !c.in.Collected(p.AfterPath):
		c.add(uncollectedFile(p, "moved to "+p.AfterPath+", where no runner finds it"))
	default:
		c.contents(ctx, p)
	}
	if c.in.Strict && len(c.out.Violations) == before && (p.AfterPath != p.Path || !bytes.Equal(p.Before, p.After)) {
		c.byteRule(p, violation.FileChanged, "Approved file changed, and every difference counts")
	}
}

// contents compares two versions of a file's content.
func (c *comparison) contents(ctx context.Context, p Pair) {
	if bytes.Equal(p.Before, p.After) {
		if p.AfterPath != p.Path {
			c.harmless(p.Path, "moved to %s unchanged", p.AfterPath)
		}
		return
	}
	if IsData(p.Path) != "" {
		c.data(p)
		return
	}
	was, is, why := models(ctx, p)
	if why == "" {
		c.models(p, was, is)
		return
	}
	if why == unknownLanguage {
		why += ", compared byte by byte"
	}
	c.out.NotAnalysed = append(c.out.NotAnalysed, p.Path+": "+why)
	c.byteRule(p, violation.FileChanged, "Approved file changed, and it could not be analysed: "+why)
}

const (
	unknownLanguage = "no known language"
	syntaxError     = "it has a syntax error"
)

// models are the models of both versions of a file, or why there are none.
func models(ctx context.Context, p Pair) (was, is *side, why string) {
	was, is, why = modelsOf(ctx, p)
	if !strings.HasSuffix(why, syntaxError) {
		return was, is, why
	}
	if before, after, ok := unconditional(p); ok {
		p.Before, p.After = before, after
		return modelsOf(ctx, p)
	}
	return nil, nil, why
}

func modelsOf(ctx context.Context, p Pair) (was, is *side, why string) {
	if was, why = model(ctx, p.Path, p.Before); why != "" {
		return nil, nil, why
	}
	if is, why = model(ctx, p.AfterPath, p.After); why != "" {
		return nil, nil, "in the head, " + why
	}
	return was, is, ""
}

// model is the model of a source, or why there is none.
func model(ctx context.Context, path string, src []byte) (*side, string) {
	lang, ok := syntax.LanguageOf(path)
	extract := extractorOf(lang)
	if !ok || extract == nil {
		return nil, unknownLanguage
	}
	tree, err := syntax.Parse(ctx, lang, src)
	switch {
	case err != nil:
		return nil, err.Error()
	case tree.HasError():
		return nil, syntaxError
	}
	return &side{path: path, file: extract(tree, path), lines: testmodel.LinesOf(src)}, ""
}

// byteRule finds the first line that differs.
func (c *comparison) byteRule(p Pair, kind violation.Kind, description string) {
	for _, h := range hunks(p.Before, p.After) {
		c.add(h.violation(p, kind, description))
		return
	}
	c.add(violation.Added(kind, violation.Place{Path: p.AfterPath, Line: 1, Text: firstLine(p.After)}, description))
}

// kindOfMode is what a git mode says a file is; executable or not is the same.
func kindOfMode(mode string) string {
	switch mode {
	case "120000":
		return "a symbolic link"
	case "160000":
		return "a submodule"
	case "040000", "40000":
		return "a folder"
	default:
		return "a file"
	}
}

func firstLine(src []byte) string { return testmodel.LinesOf(src[:min(len(src), 400)]).At(1) }

func uncollectedFile(p Pair, how string) workflow.Violation {
	return violation.Removed(violation.TestUncollected, violation.Place{Path: p.Path, Line: 1, Text: firstLine(p.Before)},
		"Tests no longer run: the file was "+how)
}

// deleted judges an approved file that is gone.
func (c *comparison) deleted(ctx context.Context, p Pair) {
	at := violation.Place{Path: p.Path, Line: 1, Text: firstLine(p.Before)}
	switch same := c.sameContent(p); {
	case same == "" || p.Before == nil:
	case p.Role != roleTest || c.in.Collected(same):
		c.harmless(p.Path, "moved to %s unchanged", same)
		return
	default:
		c.add(uncollectedFile(p, "moved to "+same+", where no runner finds it"))
		return
	}
	if kind := IsData(p.Path); kind != "" {
		c.add(violation.Removed(kind, at, "Approved data file deleted"))
		return
	}
	was, why := model(ctx, p.Path, p.Before)
	if why != "" {
		c.add(violation.Removed(deletedKind(p), at, "Approved file deleted"))
		return
	}
	units := make([]*testmodel.Unit, 0, len(was.file.Units))
	for i := range was.file.Units {
		units = append(units, &was.file.Units[i])
	}
	c.leave(c.newFileDiff(p.Role, was, &side{path: p.Path}), units, true)
}

func deletedKind(p Pair) violation.Kind {
	if p.Role == roleTest {
		return violation.TestDeleted
	}
	return violation.FileChanged
}

// sameContent is where the head has a file's exact content, "" if nowhere;
// places that a runner collects first.
func (c *comparison) sameContent(p Pair) string {
	found := ""
	for _, s := range c.in.Candidates {
		if bytes.Equal(s.Source, p.Before) && (found == "" || c.in.Collected(s.Path)) {
			if found = s.Path; c.in.Collected(found) {
				break
			}
		}
	}
	return found
}
