package runner

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// settings compares files that are keys and values.
func (c *comparison) settings(f format, before, after []byte) error {
	was, err := readOptions(f, before)
	if err != nil {
		return err
	}
	is, err := readOptions(f, after)
	if err != nil {
		return err
	}
	if kindOfFile(c.path).rules == "dotnet" && !testProject.Match(before) &&
		!testProject.Match(after) &&
		!strings.Contains(strings.ToLower(c.path), "test") &&
		strings.HasSuffix(c.path, "proj") {
		c.harmless("it is no test project")
		return nil
	}
	c.options(rulesOf(c.path), was, is)
	return nil
}

var testProject = lazyregexp.New(
	`(?i)IsTestProject|xunit|nunit|MSTest|Microsoft\.NET\.Test\.Sdk|TUnit`,
)

// readOptions reads a file of settings as keys with values: none of no file.
func readOptions(f format, src []byte) (options, error) {
	if src == nil {
		return nil, nil
	}
	switch f {
	case "ini":
		return parseINI(src)
	case "toml":
		return parseTOML(src)
	case "package", "json":
		return parseJSON(src)
	case "yaml":
		root, err := parseYAML(src)
		if err != nil {
			return nil, err
		}
		var b builder
		flattenYAML(root, nil, 1, &b)
		return b.read()
	case "lines":
		var b builder
		b.add([]string{"arguments"}, 1)
		for i, l := range lines(src) {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				b.add([]string{"arguments"}, 1, value{text: l, line: i + 1})
			}
		}
		return b.read()
	default:
		return parseXML(src)
	}
}

// options compares two versions of a file's settings.
func (c *comparison) options(rules []rule, before, after options) {
	was, is := before.index(), after.index()
	for i := range after {
		o := &after[i]
		if w := was[o.key]; w == nil || w.name != o.name || !slices.Equal(w.texts(), o.texts()) {
			c.option(rules, w, o)
		}
	}
	for i := range before {
		if is[before[i].key] == nil {
			c.option(rules, &before[i], nil)
		}
	}
}

// option compares one setting, and tells what no allowance covers.
func (c *comparison) option(rules []rule, was, is *option) {
	if len(was.texts())+len(is.texts()) == 0 {
		return // a section; what it holds counts
	}
	r, known := ruleFor(rules, difference{was: was, is: is}.option().key)
	d := difference{r, was, is}
	if known && (r.allowance == "free" || !is.respelled(was)) && d.harmless() {
		c.harmless("%s differs: %s", d.name(), r.allowance)
		return
	}
	c.report(d.describe(c.kind))
}

// loading are names of settings and flags that load what they name.
var loading = expression("loading")
