package runner

import (
	"context"
	"path"
	"slices"
	"strings"
)

// section is a place where a file holds the settings of one runner.
type section struct {
	file   string
	prefix string // of its keys, with a slash at the end, or empty
}

// precedence lists, for each runner that reads but one file, its files from
// the one that wins, each with what comes before its keys.
const precedence = `
pytest.toml|pytest/ .pytest.toml|pytest/ pytest.ini|pytest/ .pytest.ini|pytest/ pyproject.toml|tool/pytest/ini_options/ tox.ini|pytest/ setup.cfg|tool:pytest/
.coveragerc|report/ setup.cfg|coverage:report/ tox.ini|coverage:report/ pyproject.toml|tool/coverage/report/
jest.config.js jest.config.ts jest.config.mjs jest.config.cjs jest.config.json package.json|jest/
vitest.config.ts vitest.config.mts vitest.config.cts vitest.config.js vitest.config.mjs vitest.config.cjs vite.config.js vite.config.mjs vite.config.ts vite.config.cjs vite.config.mts vite.config.cts
.mocharc.js .mocharc.cjs .mocharc.yaml .mocharc.yml .mocharc.jsonc .mocharc.json package.json|mocha/
GNUmakefile makefile Makefile
tox.ini tox.toml`

// CompareNew judges a new configuration file. A runner may read it in place of
// another in the same folder: then it is compared with that one. read returns
// the approved content of a path, nil if there is none.
func CompareNew(ctx context.Context, p string, after []byte, read func(path string) []byte) Result {
	base, dir := path.Base(p), path.Dir(p)
	for line := range strings.Lines(precedence) {
		var files []section
		for _, w := range strings.Fields(line) {
			file, prefix, _ := strings.Cut(w, "|")
			files = append(files, section{file, prefix})
		}
		i := slices.IndexFunc(files, func(s section) bool { return s.file == base })
		if i < 0 {
			continue
		}
		for _, hidden := range files[i+1:] {
			if before := read(path.Join(dir, hidden.file)); before != nil {
				if r, ok := hides(ctx, p, files[i], hidden, before, after); ok {
					return r
				}
			}
		}
	}
	return Compare(ctx, p, nil, after)
}

// hides compares the settings of a file with those of the file that it hides;
// false if it hides none, or they cannot be read.
func hides(ctx context.Context, p string, own, hidden section, before, after []byte) (Result, bool) {
	c := newComparison(p, before, after)
	hiddenPath := path.Join(path.Dir(p), hidden.file)
	if formatOf(p) == "make" {
		c.makefile(before, after)
		return c.hidden(hiddenPath), true
	}
	was, errBefore := readOptions(ctx, formatOf(hiddenPath), hiddenPath, before)
	is, errAfter := readOptions(ctx, formatOf(p), p, after)
	if tooLarge(before) || tooLarge(after) || errBefore != nil || errAfter != nil {
		return Result{}, false
	}
	was = was.section(hidden.prefix, own.prefix)
	if len(was) == 0 || own.prefix != "" && !strings.HasSuffix(path.Base(p), ".ini") && len(is.section(own.prefix, "")) == 0 {
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
