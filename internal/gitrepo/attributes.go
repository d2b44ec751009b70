package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/change"
)

// attributes answers, from the .gitattributes files of one tree, whether paths
// are generated or vendored; see gitattributes(5). Macros are not expanded.
type attributes struct {
	tree  change.Tree
	rules map[string][]rule // by folder
}

// rule is one line of a .gitattributes file.
type rule struct {
	pattern string // for doublestar, relative to the file's folder
	base    bool   // matches the last component alone
	values  map[string]bool
}

// linguist lists the attributes that take a file out of review, and what change.File.Ignored calls
// them.
func linguist() [2][2]string {
	return [2][2]string{{"linguist-generated", "generated"}, {"linguist-vendored", "vendored"}}
}

// ignored is "generated", "vendored" or "".
func (a *attributes) ignored(name string) (string, error) {
	for _, l := range linguist() {
		on, err := a.value(name, l[0])
		if err != nil || on {
			return l[1], err
		}
	}
	return "", nil
}

// value looks for the last line that matches, in the nearest folder first.
func (a *attributes) value(name, attribute string) (bool, error) {
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		if folder == "." {
			folder = ""
		}
		rules, err := a.in(folder)
		if err != nil {
			return false, err
		}
		for i := len(rules) - 1; i >= 0; i-- {
			if v, ok := rules[i].values[attribute]; ok && rules[i].match(folder, name) {
				return v, nil
			}
		}
		if folder == "" {
			return false, nil
		}
	}
}

// in reads a folder's rules once. A file that is no regular one, such as a link, has none.
func (a *attributes) in(folder string) ([]rule, error) {
	if rules, ok := a.rules[folder]; ok {
		return rules, nil
	}
	name := path.Join(folder, ".gitattributes")
	data, err := a.tree.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, change.ErrNotRegular) {
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("read attributes: %w", err)
	}
	rules := parseAttributes(string(data))
	a.rules[folder] = rules
	return rules, nil
}

// parseAttributes reads .gitattributes, the last matching line winning. An attribute without a
// value, or with any but "false", is set; one with - or ! is not.
func parseAttributes(text string) []rule {
	var rules []rule
	for line := range strings.Lines(text) {
		pattern, rest := cutPattern(strings.TrimSpace(line))
		values := map[string]bool{}
		for _, field := range strings.Fields(rest) {
			key, value, hasValue := strings.Cut(field, "=")
			name := strings.TrimLeft(key, "-!")
			values[name] = name == key && (!hasValue || value != "false")
		}
		if r, ok := newRule(pattern); ok && len(values) > 0 {
			r.values = values
			rules = append(rules, r)
		}
	}
	return rules
}

// cutPattern splits a line at the end of its pattern, which may be quoted.
func cutPattern(line string) (pattern, rest string) {
	if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
		if pattern, err = strconv.Unquote(quoted); err == nil {
			return pattern, line[len(quoted):]
		}
	}
	if i := strings.IndexAny(line, " \t"); i >= 0 {
		return line[:i], line[i:]
	}
	return line, ""
}

// newRule translates git's pattern into doublestar's, in which braces also mean something. Negated
// patterns, macros and patterns for folders match nothing in attributes.
func newRule(pattern string) (rule, bool) {
	if pattern == "" || strings.ContainsAny(pattern[:1], "#!") ||
		strings.HasPrefix(pattern, "[attr]") || strings.HasSuffix(pattern, "/") {
		return rule{}, false
	}
	r := rule{base: !strings.Contains(pattern, "/")}
	pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(pattern, "/"))
	r.pattern = pattern
	return r, doublestar.ValidatePattern(pattern)
}

// match reports whether a rule of a folder's file is about a path below it. A pattern that
// cannot be read matches nothing.
func (r rule) match(folder, name string) bool {
	switch {
	case r.base:
		name = path.Base(name)
	case folder != "":
		name = strings.TrimPrefix(name, folder+"/")
	}
	ok, err := doublestar.Match(r.pattern, name)
	return err == nil && ok
}
