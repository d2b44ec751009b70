package approval

import (
	"context"
	"path"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/runner"
)

// configuration adds what the collected tests are run by: runner configuration in their folders and
// those above, CI steps that run tests, the scripts that these call, and the protected files. What
// the configuration loads is queued.
func (c *collector) configuration(ctx context.Context, protect []string) error {
	dirs, families := c.testFolders()
	for _, p := range c.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		family, ifRuns := runner.Configures(p)
		if !runner.IsWorkflow(p) &&
			(family == "" || !dirs[path.Dir(p)] && !elsewhere(p) || family != "*" &&
				!families[family]) {
			continue
		}
		text, ok, err := c.read(p)
		if err != nil {
			return err
		}
		if ok && (!ifRuns || runner.RunsTests(p, []byte(text), c.scripts)) {
			c.add(p, Config)
			c.loads(p, text)
		}
	}
	c.protected(protect)
	return c.called(ctx)
}

// testFolders are the folders of the tests and those above them, and the families of the tests'
// languages.
func (c *collector) testFolders() (dirs, families map[string]bool) {
	dirs, families = map[string]bool{".": true}, map[string]bool{}
	for p, role := range c.roles {
		if role != Test {
			continue
		}
		families[conventions.Family(p)] = true
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	return dirs, families
}

// elsewhere reports whether a configuration counts although it stands in no folder above the tests.
func elsewhere(p string) bool {
	dir := path.Dir(p)
	return dir == ".cargo" || dir == ".config"
}

// loads adds the setup files and plugins that a configuration names.
func (c *collector) loads(p, text string) {
	dir := path.Dir(p)
	for _, ref := range runner.Loads(p, []byte(text)) {
		ref = strings.TrimPrefix(strings.TrimPrefix(ref, "<rootDir>/"), "./")
		target := path.Join(dir, ref)
		if f := c.scriptFile(target); f != "" {
			if !c.isCode(f) {
				c.add(f, Support)
			}
			continue
		}
		for _, base := range []string{
			dir, path.Join(dir, "spec"), path.Join(dir, "test"),
			path.Join(dir, "lib"),
		} {
			c.add(path.Join(base, ref+".rb"), Support)
		}
		c.add(c.pythonFile([]string{dir, path.Join(dir, "tests"), path.Join(dir, "src")}, ref),
			Support)
	}
}

// called adds what the configuration calls and names where it runs tests, and what that calls.
func (c *collector) called(ctx context.Context) error {
	for known := -1; known != len(c.roles); {
		known = len(c.roles)
		for _, p := range c.paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.roles[p] != Config {
				continue
			}
			for _, f := range runner.Calls(p, c.contentOf(p), c.scripts) {
				c.add(f, Config)
			}
			c.imports(p)
		}
	}
	return nil
}

// imports adds the files of the tree that a configuration in JavaScript imports, unless code does,
// too.
func (c *collector) imports(p string) {
	if conventions.Family(p) != "script" {
		return
	}
	for _, m := range scriptImport.FindAllStringSubmatch(string(c.contentOf(p)), -1) {
		f := c.scriptFile(path.Join(path.Dir(p), m[1]))
		if strings.HasPrefix(m[1], ".") && conventions.Language(f) != "" && !c.isCode(f) {
			c.add(f, Config)
		}
	}
}
