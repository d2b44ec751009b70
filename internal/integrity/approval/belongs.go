package approval

import (
	"path"
	"slices"
	"strings"
	"unicode"

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
	names := lazyregexp.New(
		`(?m)^.*\b(?:import|from|require|require_relative|use|using)\b.*\b` +
			lazyregexp.Quote(moduleName(p)) + `\b`,
	)
	read := 0
	for _, other := range c.paths {
		if other == p || path.Ext(other) != path.Ext(p) || c.roles[other] != "" ||
			conventions.IsSupportName(path.Base(other)) ||
			c.inTests(other) {
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

// moduleName is what imports call a file: by its folder, if its own name says nothing.
func moduleName(p string) string {
	stem := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if len(stem) < 2 || stem == "index" || stem == "__init__" {
		return path.Base(path.Dir(p))
	}
	return stem
}

// isCode reports whether a file that a configuration loads is code under test: it does not belong
// to tests, and a script besides configuration imports it.
func (c *collector) isCode(p string) bool {
	return !c.isSupport(p) && slices.ContainsFunc(c.paths, func(other string) bool {
		return conventions.Family(other) == "script" && c.roles[other] != Config &&
			!runner.IsConfig(other) && c.importedBy(other, p)
	})
}

// importedBy reports whether a script imports a file.
func (c *collector) importedBy(script, p string) bool {
	text, _, _ := c.read(script) // what cannot be read imports nothing
	if !strings.Contains(text, moduleName(p)) {
		return false
	}
	for _, m := range scriptImport.FindAllStringSubmatch(text, -1) {
		for _, target := range c.scriptTargets(script, m[1]) {
			if c.scriptFile(target) == p {
				return true
			}
		}
	}
	return false
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
	return words["."] && !words[path.Base(p)] && !words[path.Base(path.Dir(p))]
}

// maxWords bounds the sources that are searched for names, in bytes.
const maxWords = 48 << 20

// wordsOfCode are the words, as names of files are words, and their parts between dots, in what is
// not collected: sources and the files of the root. A dot is among them, unless there is too much.
func (c *collector) wordsOfCode() map[string]bool {
	if c.words != nil {
		return c.words
	}
	c.words = map[string]bool{}
	words, left := map[string]bool{".": true}, int64(maxWords)
	between := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
	}
	for _, p := range c.paths {
		if c.roles[p] != "" || c.inTests(p) || conventions.IsSupportName(path.Base(p)) ||
			path.Dir(p) != "." && isData(p) || runner.IsLock(p) {
			continue
		}
		if left -= c.entries[p].Size; left < 0 {
			return c.words
		}
		text, _, _ := c.read(p) // what cannot be read names nothing
		for _, w := range strings.FieldsFunc(text, between) {
			words[strings.TrimLeft(w, ".-")] = true
			for part := range strings.SplitSeq(w, ".") {
				words[part] = true
			}
		}
	}
	c.words = words
	return words
}
