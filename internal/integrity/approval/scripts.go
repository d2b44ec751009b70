package approval

import (
	"maps"
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
)

var scriptImport = lazyregexp.New(`(?:from|import|(?:require|import|mock|unmock|doMock)\s*\(|` +
	"(?:require|import)Actual\\s*(?:<[^>\\n]*>)?\\()\\s*['\"`]([^'\"`\\n]+)['\"`]")

// script adds the files that a JavaScript or TypeScript file imports, with their manual mocks.
func (c *collector) script(p, text string) {
	for _, m := range scriptImport.FindAllStringSubmatch(text, -1) {
		for _, target := range c.scriptTargets(p, m[1]) {
			if f := c.scriptFile(target); f != "" {
				c.support(f)
				stem := strings.TrimSuffix(path.Base(f), path.Ext(f))
				c.folder(path.Join(path.Dir(f), "__mocks__"),
					escaped.Replace(stem)+".*") // its manual mock
				break
			}
		}
	}
}

// scriptTargets are the paths without extension that a specifier may mean.
func (c *collector) scriptTargets(p, spec string) []string {
	if strings.HasPrefix(spec, ".") {
		return []string{path.Join(path.Dir(p), spec)}
	}
	var out []string
	for dir := range conventions.Above(p) {
		for alias, targets := range c.aliasesOf(dir) {
			prefix, wild := strings.CutSuffix(alias, "*")
			if rest, ok := strings.CutPrefix(spec, prefix); ok && (wild || rest == "") {
				for _, t := range targets {
					out = append(out, path.Join(dir, strings.Replace(t, "*", rest, 1)))
				}
			}
		}
	}
	slices.Sort(out)
	if rest, ok := strings.CutPrefix(spec, "@/"); ok {
		out = append(out, "src/"+rest, rest)
	}
	return append(append(out, path.Join(path.Dir(p), spec), spec), c.workspace(spec)...)
}

var (
	packageName = lazyregexp.New(`"name"\s*:\s*"([^"]+)"`)
	ownFile     = lazyregexp.New(`"(\.?/?[\w./-]+\.[cm]?[jt]sx?)"`)
)

// workspace are the paths that a specifier may mean if it begins with the name
// of a package of the repository: the files that its manifest names come first.
func (c *collector) workspace(spec string) (out []string) {
	if c.packages == nil {
		c.packages = map[string]string{}
		for _, p := range c.paths {
			if path.Base(p) != "package.json" || strings.Contains("/"+p, "/node_modules/") {
				continue
			}
			text, _, _ := c.read(p) // nothing is known of one that cannot be read
			if m := packageName.FindStringSubmatch(text); m != nil {
				c.packages[m[1]] = path.Dir(p)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.packages)) {
		dir := c.packages[name]
		rest, ok := strings.CutPrefix(spec+"/", name+"/")
		if !ok {
			continue
		}
		if rest == "" {
			manifest, _, _ := c.read(path.Join(dir, "package.json"))
			for _, m := range ownFile.FindAllStringSubmatch(manifest, -1) {
				out = append(out, path.Join(dir, m[1]))
			}
			out = append(out, path.Join(dir, "src"))
		}
		out = append(out, path.Join(dir, rest), path.Join(dir, "src", rest))
	}
	return out
}

// aliasesOf are the aliases of paths in a folder's tsconfig.json, read once.
func (c *collector) aliasesOf(dir string) map[string][]string {
	p := path.Join(dir, "tsconfig.json")
	if a, ok := c.aliases[p]; ok {
		return a
	}
	var a map[string][]string
	if text, ok, err := c.read(p); err == nil && ok {
		a = runner.Aliases([]byte(text))
	}
	c.aliases[p] = a
	return a
}

// scriptFile is the file that a module path without extension stands for.
func (c *collector) scriptFile(target string) string {
	exts := append(conventions.ScriptExtensions(), ".json", ".vue")
	candidates := []string{target}
	for _, e := range exts {
		candidates = append(candidates, target+e)
	}
	if stem, ok := strings.CutSuffix(target, ".js"); ok {
		candidates = append(candidates, stem+".ts", stem+".tsx")
	}
	for _, e := range exts {
		candidates = append(candidates, path.Join(target, "index"+e))
	}
	for _, f := range candidates {
		if _, ok := c.entries[f]; ok {
			return f
		}
	}
	return ""
}
