package integrity

import (
	"context"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
)

// chosen are the words by which tests may be told apart by their names, in small letters: in what runs them,
// and in approved code that reads names of tests. Those that a runner's flags hold may leave out paths as well.
type chosen struct{ names, paths []string }

func (c *checker) chosenBy(ctx context.Context) *chosen {
	if c.choice != nil {
		return c.choice
	}
	c.choice = &chosen{}
	for p, f := range c.records() {
		if f.Role == approval.Test && !runner.IsConfig(p) {
			continue
		}
		src, err := content(c.Set.MergeBaseTree, p)
		if err != nil {
			continue // told where it is compared
		}
		names, flags := runner.Chosen(ctx, p, src, c.tree())
		c.choice.names, c.choice.paths = append(c.choice.names, names...), append(c.choice.paths, flags...)
	}
	for _, s := range c.texts {
		names, paths := readsNames.Match(s.Source), readsPaths.Match(s.Source)
		if !names && !paths {
			continue
		}
		for _, m := range quoted.FindAllSubmatch(s.Source, -1) {
			words := runner.Words(string(m[1]))
			if c.choice.names = append(c.choice.names, words...); paths {
				c.choice.paths = append(c.choice.paths, words...)
			}
		}
	}
	return c.choice
}

// readsNames is code that asks how a test is called.
var readsNames = lazyregexp.New(`\brequest\.(?:node|function)\b|\bitems?\.(?:name|nodeid|originalname)\b|\bi(?:tem)?\.name\b|nodeid` +
	`|_testMethodName|currentTestName|currentTest\b|fullTitle|titlePath|testInfo\b|\btask\.name\b|\b[tbf]\.Name\(\)|\bTestInfo\b` +
	`|getDisplayName|getMethodName|TestContext\b|full_description|\.description\b|method_name` +
	`|\bname\.(?:start_with|end_with|include|match)|thread::current\(\)|CallerMemberName|TestDisplayName`)

// readsPaths is code that leaves files of tests out.
var readsPaths = lazyregexp.New(`collect_ignore|ignore_collect|collect_file|exclude_pattern|\.(?:fs)?path\b|\bfile_path\b|testPath`)

var quoted = lazyregexp.New("[\"'`/]([^\"'`\\n]{2,60})[\"'`/]")

// apart reports whether something may take one of two names and not the other.
func apart(words []string, old, now string) bool {
	old, now = strings.ToLower(old), strings.ToLower(now)
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(old, w) != strings.Contains(now, w) })
}

// given are the paths that one file gives to test runners, before the change and after it.
type given struct{ before, after []runner.Path }

// pathsGiven are those of all files that run the approved tests; each is read once.
func (c *checker) pathsGiven(ctx context.Context) []given {
	if c.given != nil {
		return c.given
	}
	c.given = []given{}
	read := func(tree change.Tree, p string) []runner.Path {
		src, err := content(tree, p)
		if err != nil {
			return nil // told where it is compared
		}
		return runner.Paths(ctx, p, src, c.tree())
	}
	for p, f := range c.records() {
		if f.Role != approval.Test || runner.IsConfig(p) {
			c.given = append(c.given, given{read(c.Set.MergeBaseTree, p), read(c.Set.HeadTree, p)})
		}
	}
	return c.given
}

// taking is what each path says of a file.
func taking(paths []runner.Path, file string) (out [][3]bool) {
	for _, p := range paths {
		out = append(out, p.Takes(file))
	}
	return out
}

// moved reports whether a test is collected at another path as it was, with all
// that stands beside it under its name.
func (c *checker) moved(ctx context.Context, from, to string) bool {
	if !c.collection.Moved(ctx, from, to) || apart(c.chosenBy(ctx).paths, from, to) {
		return false
	}
	for _, g := range c.pathsGiven(ctx) {
		is := taking(g.after, to)
		if !slices.Equal(is, taking(g.before, from)) && !slices.Equal(is, taking(g.after, from)) {
			return false
		}
	}
	stem := strings.TrimSuffix(path.Base(from), path.Ext(from))
	for p, f := range c.records() {
		below := slices.Contains(slices.Collect(conventions.Above(p)), path.Dir(from))
		if f.Role == approval.Support && p != from && strings.HasPrefix(path.Base(p), stem+".") && below {
			if there, err := c.inHead(p); err != nil || there {
				return false // its snapshots
			}
		}
	}
	return true
}
