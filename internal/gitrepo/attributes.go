package gitrepo

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
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

// ignored is what change.File.Ignored says of a path: "generated", "vendored" or "". Of the
// lines that match it the nearest folder's count, of one file the last.
func (a *attributes) ignored(name string) (string, error) {
	said := map[string]bool{}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		rules, err := a.in(folder)
		if err != nil {
			return "", err
		}
		for _, r := range slices.Backward(rules) {
			for attribute, on := range r.values {
				if _, nearer := said[attribute]; !nearer && r.match(folder, name) {
					said[attribute] = on
				}
			}
		}
		if folder == "." {
			break
		}
	}
	switch {
	case said["linguist-generated"]:
		return "generated", nil
	case said["linguist-vendored"]:
		return "vendored", nil
	}
	return "", nil
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
	if folder, ok := strings.CutSuffix(pattern, "/**"); ok { // doublestar matches the folder, too
		pattern = folder + "/**/*"
	}
	pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(strings.TrimPrefix(pattern, "/"))
	r.pattern = pattern
	return r, doublestar.ValidatePattern(pattern)
}

// match reports whether a rule of a folder's file is about a path below it. A pattern that
// cannot be read matches nothing.
func (r rule) match(folder, name string) bool {
	if name = strings.TrimPrefix(name, folder+"/"); r.base {
		name = path.Base(name)
	}
	ok, err := doublestar.Match(r.pattern, name)
	return err == nil && ok
}
