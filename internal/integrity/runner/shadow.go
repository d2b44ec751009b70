package runner

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// section is a place where a file holds the settings of one runner.
type section struct {
	file   string
	prefix string // of its keys, with a slash at the end, or empty
}

// CompareNew judges a new configuration file. A runner may read it in place of
// another in the same folder: then it is compared with that one. read returns
// the approved content of a path, nil if there is none.
func CompareNew(ctx context.Context, p string, after []byte, read *Tree) Result {
	var out Result
	var hiding []string // prefixes of settings that hide others
	for _, line := range listed("precedence") {
		var own *section
		for _, w := range strings.Fields(line) {
			file, prefix, _ := strings.Cut(w, "|")
			if own == nil {
				if file == path.Base(p) {
					own = &section{file, prefix}
				}
				continue
			}
			before := read.at(path.Join(path.Dir(p), file))
			if before == nil {
				continue
			}
			if r, ok := hides(ctx, p, *own, section{file, prefix}, before, after); ok {
				hiding = append(hiding, own.prefix)
				out.Violations, out.Harmless, out.NotAnalysed = append(out.Violations, r.Violations...), append(out.Harmless, r.Harmless...), append(out.NotAnalysed, r.NotAnalysed...)
				break
			}
		}
	}
	is, err := readOptions(ctx, formatOf(p), p, after)
	if hiding == nil || err != nil {
		return Compare(ctx, p, nil, after, Surroundings{Read: read})
	}
	c := newComparison(p, nil, after)
	c.options(rulesOf(p), nil, slices.DeleteFunc(is, func(o option) bool {
		return formatOf(p) == "make" || slices.ContainsFunc(hiding, func(prefix string) bool { return strings.HasPrefix(o.key, prefix) })
	}))
	out.Violations = append(out.Violations, c.finish().Violations...)
	return out
}

// hides compares the settings of a file with those of the file that it hides;
// false if it hides none.
func hides(ctx context.Context, p string, own, hidden section, before, after []byte) (Result, bool) {
	c := newComparison(p, before, after)
	hiddenPath := path.Join(path.Dir(p), hidden.file)
	if formatOf(p) == "make" {
		c.makefile(before, after)
		return c.hidden(hiddenPath), true
	}
	was, err := readOptions(ctx, formatOf(hiddenPath), hiddenPath, before)
	is, errAfter := readOptions(ctx, formatOf(p), p, after)
	switch was = was.section(hidden.prefix, own.prefix); {
	case errAfter != nil || tooLarge(after):
		return Result{}, false // it is reported by itself
	case err != nil || tooLarge(before):
		c.unread(fmt.Errorf("it is read in place of %s, which cannot be read", hiddenPath))
		return c.finish(), true
	case len(was) == 0 || own.prefix != "" && !strings.HasSuffix(p, "pytest.ini") && len(is.section(own.prefix, "")) == 0:
		return Result{}, false
	}
	c.options(rulesOf(p), was, is.section(own.prefix, own.prefix))
	return c.hidden(hiddenPath), true
}

// section are the options below a prefix, put below another.
func (o options) section(from, to string) options {
	var out options
	for _, x := range o {
		if rest, ok := strings.CutPrefix(x.key, from); ok {
			x.key = to + rest
			out = append(out, x)
		}
	}
	return out
}

// hidden says of the findings that their approved side is another file.
func (c *comparison) hidden(file string) Result {
	r := c.finish()
	for i := range r.Violations {
		v := &r.Violations[i]
		v.Description += " (the new file is read in place of " + file + ")"
		if v.Side == "before" {
			v.File = file
		}
	}
	if len(r.Violations) == 0 {
		r.Harmless = []string{c.path + ": it takes the place of " + file + " without leaving a test out"}
	}
	return r
}
