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

// autoloads are the paths of files that a runner loads without any test asking
// for them.
var autoloads = func() (out []*regexp.Regexp) {
	for _, line := range listed("autoload") {
		out = append(out, regexp.MustCompile(strings.Split(line, "\t")[2]))
	}
	return out
}()

// Autoloaded reports whether a runner may load a file of that name without any
// test asking for it.
func Autoloaded(p string) bool {
	return slices.ContainsFunc(autoloads, func(re *regexp.Regexp) bool { return re.MatchString(p) })
}

// loaded compares a file that a runner loads by itself, or that a configuration
// names. What was added to it must be on the closed list.
func (c *comparison) loaded(ctx context.Context, before, after []byte) error {
	lang, _ := syntax.LanguageOf(c.path)
	switch {
	case c.around.Called && lang == "" && shebang.Match(before):
		return c.shell(before, after)
	case c.around.Called && (path.Ext(c.path) == ".yml" || path.Ext(c.path) == ".yaml"):
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
		c.options(ruleLists["statements"], was, is)
		for i := n; i < len(c.result.Violations); i++ {
			if v := &c.result.Violations[i]; strings.HasPrefix(v.Kind, "config_") {
				v.Kind, v.Type = string(violation.ConftestHook), violation.ConftestHook.Type()
				v.Description = "A helper that all tests load may steer them: " + v.Description[strings.Index(v.Description, ": ")+2:]
			}
		}
		return nil
	}
	inert := map[syntax.Language]func(*comparison, syntax.Node) bool{
		syntax.Python: (*comparison).inertPython, syntax.Go: (*comparison).inertGo,
		syntax.JavaScript: (*comparison).inertScript, syntax.TypeScript: (*comparison).inertScript, syntax.TSX: (*comparison).inertScript,
	}[lang]
	if inert == nil {
		return errors.New("it is not a kind of file that is known")
	}
	return c.additions(ctx, before, after, inert)
}

// shebang is the first line of a shell script.
var shebang = regexp.MustCompile(`^#!\S*(?:/|/env )(?:ba|da|z|k)?sh\b`)

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

// ofRegistry reports whether a line of a lock file names no place but a registry.
func ofRegistry(line string) bool {
	return !knownValues["places"].MatchString(registry.ReplaceAllString(line, ""))
}

var registry = regexp.MustCompile(strings.Trim(knownValues["registries"].String(), "^$"))

var harmlessProperty = regexp.MustCompile(`^(?:junit\.jupiter\.execution\.parallel|junit\.jupiter\.displayname|junit\.platform\.output)[\w.]*\s*=|^junit\.jupiter\.execution\.timeout[\w.]*\s*=|^#|^!|^$`)

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

// additions compares the statements of two versions of a source. Those that
// were added, and those that went, must be on the closed list.
func (c *comparison) additions(ctx context.Context, before, after []byte, inert func(*comparison, syntax.Node) bool) error {
	is, err := c.parse(ctx, after)
	if err != nil {
		return err
	}
	had := map[string]int{}
	var old []syntax.Node
	if before != nil {
		if was, err := c.parse(ctx, before); err == nil {
			old = was.Root().Named()
		}
	}
	for _, n := range old {
		had[canon(n)]++
	}
	found := false
	for _, n := range is.Root().Named() {
		if text := canon(n); had[text] > 0 {
			had[text]--
			continue
		}
		if !n.IsComment() && !inert(c, n) {
			found = true
			for _, f := range describeSource(n) {
				c.report(f)
			}
		}
	}
	for _, n := range old {
		if text := canon(n); had[text] > 0 && !found && !n.IsComment() && !inert(c, n) {
			had[text]--
			c.report(finding{violation.AutoloadedFile, n.StartLine(), 0, "A file that the test runner loads changed: gone is " + cut(n.Text())})
		}
	}
	return nil
}

// unused reports that no approved file contains a name.
func (c *comparison) unused(name string) bool {
	return c.around.Unused != nil && c.around.Unused(name)
}
