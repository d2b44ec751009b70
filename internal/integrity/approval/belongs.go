package approval

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
)

// isSupport reports whether a file belongs to tests rather than to what they test: by its folder,
// by its name, or because it does what only code for tests does.
func (c *collector) isSupport(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	if i := slices.Index(dirs, "src"); i >= 0 && i+1 < len(dirs) && dirs[i+1] == "main" {
		return false
	}
	if c.inTests(p) || conventions.IsSupportName(path.Base(p)) {
		return true
	}
	if slices.ContainsFunc(dirs, conventions.IsDataFolder) || conventions.IsDouble(path.Base(p)) {
		return isData(p) || !c.usedOutside(p)
	}
	text, ok, err := c.read(p)
	if !ok || err != nil || isData(p) ||
		path.Ext(p) == ".rs" { // Rust's tests stand beside what they test
		return false
	}
	if conventions.UsesFramework(text) {
		return true
	}
	return conventions.AssertsForOthers(p, text) && !c.usedOutside(p)
}

// inTests reports whether a file is in a folder of tests. A folder spec is one unless it is among
// sources.
func (c *collector) inTests(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	for i, d := range dirs {
		if conventions.IsSupportFolder(d) || strings.EqualFold(d, "spec") &&
			!slices.ContainsFunc(dirs[:i],
				func(s string) bool { return s == "src" || s == "lib" || s == "app" }) {
			return true
		}
	}
	return false
}

// usedOutside reports whether a file that does not belong to tests names a
// module, as far as reading imports line by line tells.
func (c *collector) usedOutside(p string) bool {
	return c.importedBy(p, func(other string) bool {
		return c.roles[other] == "" && !conventions.IsSupportName(path.Base(other)) &&
			!c.inTests(other)
	})
}

// isCode reports whether a file that a configuration loads is code under test: it does not belong
// to tests, and something besides configuration imports it.
func (c *collector) isCode(p string) bool {
	return !c.isSupport(p) && c.importedBy(p, func(other string) bool {
		return c.roles[other] != Config && !runner.IsConfig(other)
	})
}

// importedBy reports whether one of some files of the same extension imports a module, or whether
// there are too many of them to tell.
func (c *collector) importedBy(p string, counts func(other string) bool) bool {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if len(stem) < 2 || stem == "index" || stem == "__init__" {
		stem = path.Base(path.Dir(p))
	}
	names := lazyregexp.New(
		`(?m)^.*\b(?:import|from|require|require_relative|use|using)\b.*\b` +
			lazyregexp.Quote(stem) + `\b`,
	)
	read := 0
	for _, other := range c.paths {
		if other == p || path.Ext(other) != path.Ext(p) || !counts(other) {
			continue
		}
		if read++; read > maxCollected {
			return true
		}
		if text, ok, err := c.read(other); err == nil && ok && names.MatchString(text) {
			return true
		}
	}
	return false
}

// holdsData reports whether a folder has data for tests alone, and no sources.
func (c *collector) holdsData(dir string) bool {
	files := c.below(dir)
	return !slices.ContainsFunc(files, func(p string) bool { return !isData(p) }) &&
		slices.ContainsFunc(files, c.forTestsAlone)
}

// forTestsAlone reports whether data that tests name serves nothing else: it is no document and no
// configuration, and no source of the implementation, nor a file of the root, has its name or its
// folder's in it.
func (c *collector) forTestsAlone(p string) bool {
	if family, _ := runner.Configures(p); family != "" || runner.IsConfig(p) ||
		runner.IsWorkflow(p) || runner.IsProse(p) {
		return false
	}
	words := c.wordsOfCode()
	dir := path.Base(path.Dir(p))
	return words != nil && !words[path.Base(p)] && !words[dir]
}

// maxWords bounds the sources that are searched for names, in bytes.
const maxWords = 48 << 20

var fileName = lazyregexp.New(`[\pL\pN_][\pL\pN_.-]*`)

// wordsOfCode are the words, as names of files are words, in what is not collected: sources and
// the files of the root. nil: there is too much of it.
func (c *collector) wordsOfCode() map[string]bool {
	if c.words != nil || c.wordless {
		return c.words
	}
	words, left := map[string]bool{".": true}, int64(maxWords)
	for _, p := range c.paths {
		if c.roles[p] != "" || c.inTests(p) || conventions.IsSupportName(path.Base(p)) ||
			path.Dir(p) != "." && isData(p) || runner.IsLock(p) {
			continue
		}
		if left -= c.entries[p].Size; left < 0 {
			c.wordless = true
			return nil
		}
		text, _, _ := c.read(p) // what cannot be read names nothing
		for _, w := range fileName.FindAllString(text, -1) {
			words[w] = true
		}
	}
	c.words = words
	return words
}
