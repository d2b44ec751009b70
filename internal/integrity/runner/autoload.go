package runner

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// setupScript are the usual names of files that JavaScript runners are told to
// load before the tests.
var setupScript = regexp.MustCompile(`(?i)^(?:(?:jest|vitest|mocha|test|tests|global|ava|karma|cypress|playwright)[.\-_]?(?:setup|teardown|init|hooks?|polyfills?|env(?:ironment)?)|setup[.\-_]?(?:tests?|jest|vitest|mocha|env|files?|after[.\-_]?env|globals?)|(?:setup|teardown|hooks))(?:[.\-_][\w-]+)*\.[cm]?[jt]sx?$`)

// Autoloaded reports whether a runner may load a file of that name without
// any test asking for it: conftest.py, packages of tests, setup files,
// spec_helper, manual mocks, services of JUnit, Go test files (for TestMain).
func Autoloaded(p string) bool { return loaderOf(p) != nil }

// loader compares an autoloaded file; its error means that it cannot be read.
type loader func(c *comparison, ctx context.Context, before, after []byte) error

func loaderOf(p string) loader {
	base := path.Base(p)
	dirs := strings.Split(path.Dir(p), "/")
	switch {
	case base == "conftest.py", base == "__init__.py" && inTests(dirs):
		return (*comparison).conftest
	case strings.HasSuffix(base, "_test.go"):
		return (*comparison).testMain
	case slices.Contains(dirs, "__mocks__"):
		return (*comparison).manualMock
	case base == "spec_helper.rb", base == "rails_helper.rb", base == "test_helper.rb", path.Ext(base) == ".rb" && slices.Contains(dirs, "support") && inTests(dirs):
		return (*comparison).rubyHelper
	case setupScript.MatchString(base), slices.Contains(dirs, "cypress") && slices.Contains(dirs, "support"):
		if _, ok := syntax.LanguageOf(p); ok {
			return (*comparison).setupScript
		}
	case base == "junit-platform.properties", strings.Contains(p, "META-INF/services/org.junit"), strings.Contains(p, "META-INF/services/org.testng"):
		return (*comparison).junit
	}
	return nil
}

func inTests(dirs []string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool {
		d = strings.ToLower(d)
		return d == "test" || d == "tests" || d == "spec" || d == "specs" || d == "testing"
	})
}

// loaded compares a file that a runner loads by itself: only what steers
// collection or outcomes counts. A file of any other kind is a setup file that
// a configuration names, if it is a script.
func (c *comparison) loaded(ctx context.Context, before, after []byte) {
	load := loaderOf(c.path)
	if load == nil {
		switch lang, _ := syntax.LanguageOf(c.path); lang {
		case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
			load = (*comparison).setupScript
		case syntax.Python:
			load = (*comparison).conftest
		case syntax.Ruby:
			load = (*comparison).rubyHelper
		default:
			c.unread(errors.New("it is not a kind of file that is known"))
			return
		}
	}
	n := len(c.result.Violations)
	if err := load(c, ctx, before, after); err != nil {
		c.unread(err)
		return
	}
	if len(c.result.Violations) == n {
		c.harmless("nothing in it steers which tests run or what they come to")
	}
}

// parse reads a source that must be valid.
func (c *comparison) parse(ctx context.Context, src []byte) (*syntax.Tree, error) {
	lang, ok := syntax.LanguageOf(c.path)
	if !ok {
		return nil, syntax.ErrLanguage
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil {
		return nil, err
	}
	if tree.HasError() {
		return nil, errors.New("it has syntax errors")
	}
	return tree, nil
}

// harm is a statement that steers tests.
type harm struct {
	kind violation.Kind
	line int
	key  string // its tokens with what is around it, to compare
	text string
}

// harms reports those of after that before does not have, of each kind and
// owner at most two.
func (c *comparison) harms(before, after []harm) {
	had := map[string]int{}
	for _, h := range before {
		had[h.key]++
	}
	reported := 0
	for _, h := range after {
		if had[h.key] > 0 {
			had[h.key]--
			continue
		}
		if reported++; reported > 4 {
			return
		}
		c.report(finding{h.kind, 0, h.line, h.text})
	}
}

// find compares what a function finds in the two versions of a source. A
// before that cannot be read counts as empty: everything is new then.
func (c *comparison) find(ctx context.Context, before, after []byte, in func(*syntax.Tree) []harm) error {
	is, err := c.parse(ctx, after)
	if err != nil {
		return err
	}
	var old []harm
	if before != nil {
		if was, err := c.parse(ctx, before); err == nil {
			old = in(was)
		}
	}
	c.harms(old, in(is))
	return nil
}

func (c *comparison) manualMock(_ context.Context, before, _ []byte) error {
	if before == nil {
		c.report(finding{violation.MockOfSUT, 0, 1, "Module replaced in tests: a manual mock was added"})
	}
	return nil
}

// junit compares properties and services of JUnit, which has no harmless ones
// but those of parallelism and display.
func (c *comparison) junit(_ context.Context, before, after []byte) error {
	was := argumentLines(before)
	for _, l := range argumentLines(after) {
		old := slices.ContainsFunc(was, func(o value) bool { return o.text == l.text })
		if old || strings.HasPrefix(l.text, "junit.jupiter.execution.parallel") || strings.HasPrefix(l.text, "junit.jupiter.display") || strings.Contains(l.text, ".timeout.") {
			continue
		}
		kind := violation.ConftestHook
		if strings.HasSuffix(c.path, ".properties") {
			kind = violation.ConfigNarrowed
		}
		c.report(finding{kind, 0, l.line, "The test runner loads what steers tests: " + cut(l.text)})
	}
	return nil
}
