package approval

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
)

// references adds what a file names: modules that it imports, and files and folders by literal
// paths.
func (c *collector) references(p, text string) {
	switch conventions.Family(p) {
	case "Python":
		c.python(p, text)
	case "script":
		c.script(p, text)
	case "Go":
		c.golang(p, text)
	case "JVM":
		c.java(p, text)
	case "Ruby":
		c.ruby(p, text)
	case "Rust":
		c.rust(p, text)
	case ".NET":
	default:
		return // data names nothing
	}
	c.literals(p, text)
}

var quoted = lazyregexp.New("\"([^\"\\n]{1,300})\"|'([^'\\n]{1,300})'|`([^`\\n]{1,300})`")

// literals adds the files and folders that string literals name, alone or
// joined with those next to them on the line: path.join("tests", "data").
func (c *collector) literals(p, text string) {
	const perLine, joined = 12, 4
	for line := range strings.Lines(text) {
		if len(line) > 4000 {
			continue
		}
		var parts []string
		for _, m := range quoted.FindAllStringSubmatch(line, perLine) {
			parts = append(parts, m[1]+m[2]+m[3])
		}
		for i := range parts {
			for j := i + 1; j <= min(len(parts), i+joined); j++ {
				c.literal(p, strings.Join(parts[i:j], "/"))
			}
		}
	}
}

// literal adds what a path names, tried from the file's folder, from those
// above it, and from the resources of a Java test. A word without a slash may be anything.
func (c *collector) literal(p, ref string) {
	ref = strings.TrimPrefix(strings.TrimPrefix(ref, "file://"), "classpath:")
	ref, pattern, isPattern := strings.Cut(strings.TrimPrefix(ref, "/"), "*") // of one its folder
	ref = strings.TrimSuffix(ref, "/")
	isPath := isPattern || strings.Contains(ref, "/")
	words := strings.Contains(ref, " ") && !isPath
	if ref == "" || ref == "." || ref == ".." || words || strings.ContainsAny(ref, "?\x00\\:<>|") {
		return
	}
	takes := func(f string) bool {
		return isPath && strings.HasSuffix(f, path.Ext(pattern)) && c.forTestsAlone(f)
	}
	for dir := range conventions.Above(p) {
		if c.literalAt(path.Join(dir, ref), takes) {
			break
		}
	}
	if i := strings.Index(p, "src/test/"); i >= 0 {
		c.literalAt(path.Join(p[:i], "src/test/resources", ref), takes)
		c.literalAt(path.Join(path.Dir(strings.Replace(p, "/java/", "/resources/", 1)), ref), takes)
	}
}

// literalAt adds what a text names if it is data or a folder of tests, and reports whether it is
// there at all. Data elsewhere, in a folder without sources, is the tests' if takes says so.
func (c *collector) literalAt(p string, takes func(string) bool) bool {
	if _, ok := c.entries[p]; ok {
		switch {
		case isData(p) && takes(p):
			c.add(p, Support)
		case isData(p) || c.inTests(p):
			c.support(p)
		}
		return true
	}
	base, files := path.Base(p), c.below(p)
	ofTests := conventions.IsSupportFolder(base) || conventions.IsDataFolder(base) ||
		c.inTests(p+"/x")
	holdsSource := slices.ContainsFunc(files, func(f string) bool { return !isData(f) })
	takesAny := ofTests || !holdsSource && slices.ContainsFunc(files, takes)
	if p == "." || len(files) == 0 || !takesAny {
		return false
	}
	for i, f := range files {
		if i == maxFolder {
			c.notice(p, "the folder has more files than are recorded")
			break
		}
		if isData(f) && (ofTests || takes(f)) {
			c.add(f, Support)
		}
	}
	return true
}

var (
	pyFrom = lazyregexp.New(
		`(?m)^\s*from\s+(\.*)([\w.]*)\s+import\s+(?:\(([^)]*)\)|([^\n#;(]*))`,
	)
	pyImport  = lazyregexp.New(`(?m)^\s*import\s+([\w., ]+)`)
	pyPlugins = lazyregexp.New(
		`(?s)pytest_plugins\s*(?::[^=]*)?=\s*[\[(]?([^\])\n]*(?:\n\s+[^\])\n]*)*)`,
	)
)

// python adds the modules of the repository that a Python file imports.
func (c *collector) python(p, text string) {
	bases := append(slices.Collect(conventions.Above(p)), "src", "lib")
	for _, m := range pyFrom.FindAllStringSubmatch(text, -1) {
		names := strings.FieldsFunc(m[3]+m[4],
			func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) })
		from := bases
		if dots := len(m[1]); dots > 0 {
			dir := path.Dir(p)
			for range dots - 1 {
				dir = path.Dir(dir)
			}
			from = []string{dir}
		}
		c.pythonModule(from, m[2])
		for _, n := range names {
			c.pythonModule(from, strings.TrimPrefix(m[2]+"."+n, "."))
		}
	}
	for _, m := range pyImport.FindAllStringSubmatch(text, -1) {
		for _, n := range strings.Split(m[1], ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(n), " ")
			c.pythonModule(bases, name)
		}
	}
	for _, m := range pyPlugins.FindAllStringSubmatch(text, -1) {
		for _, q := range quoted.FindAllStringSubmatch(m[1], -1) {
			c.add(c.pythonFile(bases, q[1]+q[2]), Support)
		}
	}
}

// pythonModule adds a module, if it belongs to tests.
func (c *collector) pythonModule(bases []string, name string) {
	if f := c.pythonFile(bases, name); f != "" {
		c.support(f)
	}
}

// pythonFile is the file of a module where it is first found, "" if it is not.
func (c *collector) pythonFile(bases []string, name string) string {
	if name == "" {
		return ""
	}
	rel := strings.ReplaceAll(name, ".", "/")
	for _, b := range bases {
		for _, f := range []string{path.Join(b, rel) + ".py", path.Join(b, rel, "__init__.py")} {
			if _, ok := c.entries[f]; ok {
				return f
			}
		}
	}
	return ""
}
