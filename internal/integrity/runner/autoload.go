package runner

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// autoloads are the paths of files that a runner loads without any test asking for them.
var autoloads = func() (out []*lazyregexp.Regexp) {
	for _, line := range listed("autoload") {
		out = append(out, lazyregexp.New(strings.Split(line, "\t")[2]))
	}
	return out
}()

// Autoloaded reports whether a runner may load a file of that name without any test asking for it.
func Autoloaded(p string) bool {
	return slices.ContainsFunc(autoloads, func(re *lazyregexp.Regexp) bool { return re.MatchString(p) })
}

// loaded compares a file that a runner loads by itself, or that a configuration
// names. What was added to it must be on the closed list.
func (c *comparison) loaded(ctx context.Context, before, after []byte) error {
	lang, _ := syntax.LanguageOf(c.path)
	switch {
	case c.around.Called && lang == "" && shebang.Match(before):
		return c.shell(before, after)
	case c.around.Called && !hookFile.MatchString(c.path) && (path.Ext(c.path) == ".yml" || path.Ext(c.path) == ".yaml"):
		return c.pipeline(before, after)
	case c.around.Called && !Autoloaded(c.path):
		return errUnknown
	case strings.Contains("/"+path.Dir(c.path)+"/", "/__mocks__/"):
		was, is := c.firstDifference()
		if before == nil {
			was = 0
		}
		c.report(finding{violation.MockOfSUT, was, is, "Module replaced in tests: a manual mock was added or changed"})
		return nil
	case strings.HasSuffix(c.path, ".properties"), strings.Contains(c.path, "META-INF/services/"), strings.HasSuffix(c.path, ".pth"):
		kind := violation.ConftestHook
		if strings.HasSuffix(c.path, ".properties") {
			kind = violation.ConfigNarrowed
		}
		c.lines(kind, "The test runner loads what may steer tests: ", "The test runner no longer loads ", harmlessProperty.MatchString)
		return nil
	case c.around.Approved:
		c.harmless("it is compared as tests are")
		return nil
	case lang == syntax.Ruby:
		if _, err := c.parse(ctx, after); err != nil {
			return err
		}
		is, err := parseBlocks(after)
		if err != nil {
			return err
		}
		was, _ := parseBlocks(before) // what it held and is not told counts as gone
		n := len(c.result.Violations)
		c.options(ruleLists()["statements"], was, is)
		for i := n; i < len(c.result.Violations); i++ {
			if v := &c.result.Violations[i]; strings.HasPrefix(v.Kind, "config_") {
				v.Kind, v.Type = string(violation.ConftestHook), violation.ConftestHook.Type()
				v.Description = "A helper that all tests load may steer them: " + v.Description[strings.Index(v.Description, ": ")+2:]
			}
		}
		return nil
	}
	switch lang {
	case syntax.Go:
		return c.goFunctions(ctx, before, after)
	case syntax.Python, syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		return c.additions(ctx, before, after)
	}
	return errors.New("it is not a kind of file that is known")
}

// shebang is the first line of a shell script.
var shebang = lazyregexp.New(`^#!\S*(?:/|/env )(?:ba|da|z|k)?sh\b`)

// lines compares files of which each line counts by itself: those that came
// and those that went must be on a closed list.
func (c *comparison) lines(kind violation.Kind, came, went string, harmless func(string) bool) {
	trimmed := func(list []string) map[string]bool {
		out := make(map[string]bool, len(list))
		for _, l := range list {
			out[strings.TrimSpace(l)] = true
		}
		return out
	}
	had, has := trimmed(c.before), trimmed(c.after)
	for i, l := range c.after {
		if l = strings.TrimSpace(l); !had[l] && !harmless(l) {
			c.report(finding{kind, 0, i + 1, came + cut(l)})
		}
	}
	for i, l := range c.before {
		if l = strings.TrimSpace(l); went != "" && !has[l] && !harmless(l) {
			c.report(finding{violation.ConfigChanged, i + 1, 0, went + cut(l)})
		}
	}
}

var registry = lazyregexp.New(strings.Trim(knownValues["registries"].String(), "^$"))

var harmlessProperty = expression("harmlessProperty")

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

// additions compares two versions of a source as tests are compared: what is new
// must have fresh names and reach nothing that others see. Of a new file all is.
func (c *comparison) additions(ctx context.Context, before, after []byte) error {
	is, err := c.parse(ctx, after)
	if err != nil {
		return err
	}
	was, err := c.parse(ctx, before)
	if err != nil {
		was, err = c.parse(ctx, nil) // what it held and cannot be read counts as gone
	}
	if err != nil {
		return err
	}
	used := func(name string) bool { return !c.unused(name) }
	r := kernel.Compare(was, is, kernel.Options{Additions: true, Used: used, OldPath: c.path, NewPath: c.path})
	told := map[int]bool{}
	for _, d := range r.Differences {
		if d.New == nil {
			c.report(finding{violation.AutoloadedFile, d.Old.Line, 0, "A file that the test runner loads changed: gone is " +
				cut(d.Old.Source())})
			continue
		}
		for _, n := range is.Root().Named() {
			if n.StartLine() <= d.New.Line && d.New.Line <= n.EndLine() && !told[n.StartLine()] && !plainImport(n) {
				told[n.StartLine()] = true
				for _, f := range describeSource(n) {
					c.report(f)
				}
			}
		}
	}
	return nil
}

// hookName is a name that Python's runners look for in what they load.
var hookName = lazyregexp.New(`^(?:pytest_.*|pytestmark|collect_ignore.*|__.*|load_tests|(?:set[uU]p|tear[dD]own).*|\*)$`)

// plainImport reports whether a statement only imports names that no runner looks
// for, or what is known to add matchers alone.
func plainImport(n syntax.Node) bool {
	_, names, _ := strings.Cut(" "+canon(n), " import ")
	switch {
	case n.Is("import_statement", "import_from_statement", "future_import_statement") && n.Child("string").IsZero():
		return !slices.ContainsFunc(strings.Fields(names), hookName.MatchString)
	case n.Is("import_statement"):
		return !n.Child("import_clause").IsZero() || isKnown("setup", "", value{text: stringText(n.Field("source"))})
	}
	return false
}

// goFunctions judges the functions that a file of a Go package brings: none may steer the run of all tests of
// the package. What else it does to others is the kernel's question (Reaches).
func (c *comparison) goFunctions(ctx context.Context, before, after []byte) error {
	is, err := c.parse(ctx, after)
	if err != nil {
		return err
	}
	had := map[string]bool{}
	if was, err := c.parse(ctx, before); err == nil {
		for _, n := range was.Root().Named() {
			had[canon(n)] = true
		}
	}
	for _, n := range is.Root().Named() {
		if !n.Is("function_declaration", "method_declaration") || had[canon(n)] {
			continue
		}
		for _, f := range steersRun(n) {
			c.report(f)
		}
	}
	return nil
}

// steersRun lists where a function of Go ends the process or selects tests. One
// that is given all tests of the package, as TestMain is, steers them anyway.
func steersRun(fn syntax.Node) (out []finding) {
	for n := range fn.All("call_expression", "assignment_statement") {
		if goSteers.MatchString(canon(n)) {
			out = append(out, finding{violation.ConftestHook, 0, n.StartLine(), "The run of all tests is steered: " + cut(n.Text())})
		}
	}
	for p := range fn.Field("parameters").All("parameter_declaration") {
		if len(out) == 0 && canon(p.Field("type")) == "* testing . M" {
			out = append(out, finding{violation.ConftestHook, 0, fn.StartLine(), "The run of all tests is steered: " + cut(fn.Text())})
		}
	}
	return out
}

var goSteers = lazyregexp.New(`^(?:os|syscall) \. Exit \(|^flag \. Set \( "test\.|^os \. Args\b.* =|^testing \. .* =`)

// unused reports that no approved file contains a name.
func (c *comparison) unused(name string) bool {
	return c.around.Unused != nil && c.around.Unused(name)
}
