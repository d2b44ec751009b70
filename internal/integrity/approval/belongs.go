package approval

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
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
