package approval

import (
	"context"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/integrity/runner"
)

// configuration adds what the collected tests are run by: runner configuration
// in their folders and those above, CI steps that run tests, the scripts that
// these call, and the protected files. What the configuration loads is queued.
func (c *collector) configuration(ctx context.Context, protect []string) error {
	dirs, exts := c.testFolders()
	for _, p := range c.paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case runner.IsWorkflow(p):
		case !runner.IsConfig(p) || !dirs[path.Dir(p)] && !elsewhere(p) || !fits(p, exts):
			continue
		}
		text, ok, err := c.read(p)
		if err != nil {
			return err
		}
		if ok && (!needsTests(p) || runner.RunsTests(ctx, p, []byte(text))) {
			c.add(p, Config)
			c.loads(ctx, p, text)
		}
	}
	c.protected(protect)
	return c.called(ctx)
}

// testFolders are the folders of the tests and those above them, and the
// extensions of the tests.
func (c *collector) testFolders() (dirs, exts map[string]bool) {
	dirs, exts = map[string]bool{".": true}, map[string]bool{}
	for p, role := range c.roles {
		if role != Test {
			continue
		}
		exts[path.Ext(p)] = true
		for d := path.Dir(p); d != "."; d = path.Dir(d) {
			dirs[d] = true
		}
	}
	return dirs, exts
}

// elsewhere reports whether a configuration counts although it stands in no
// folder above the tests.
func elsewhere(p string) bool {
	dir := path.Dir(p)
	return dir == ".cargo" || dir == ".config"
}

// needsTests reports whether a file counts only if it runs tests: it is one
// that most projects have for other things, too.
func needsTests(p string) bool {
	base := strings.ToLower(path.Base(p))
	switch {
	case runner.IsWorkflow(p), strings.HasPrefix(base, "makefile"), strings.HasPrefix(base, "taskfile"):
		return true
	}
	switch path.Ext(base) {
	case ".sh", ".bash", ".mk", ".rake":
		return true
	}
	return base == "gnumakefile" || base == "justfile" || base == ".justfile" || base == "rakefile" || base == "jenkinsfile"
}

// fits reports whether a configuration is one for tests of these extensions.
func fits(p string, exts map[string]bool) bool {
	base := strings.ToLower(path.Base(p))
	has := func(list ...string) bool { return slices.ContainsFunc(list, func(e string) bool { return exts[e] }) }
	scripts := slices.ContainsFunc(slices.Collect(maps.Keys(exts)), func(e string) bool { return conventions.IsScript("x" + e) })
	switch {
	case slices.Contains([]string{"pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg", ".coveragerc", "pyproject.toml", "noxfile.py", "tox.toml", "pytest.toml", ".pytest.toml"}, base):
		return has(".py")
	case slices.Contains([]string{"cargo.toml", "nextest.toml"}, base), strings.Contains(p, ".cargo/"):
		return has(".rs")
	case base == "pom.xml", strings.HasSuffix(base, ".gradle"), strings.HasSuffix(base, ".gradle.kts"), base == "gradle.properties", base == "build.sbt":
		return has(".java", ".kt", ".groovy", ".scala")
	case slices.Contains([]string{".rspec", ".rspec-local", ".simplecov"}, base), path.Ext(base) == ".rake", base == "rakefile":
		return has(".rb")
	case base == "go.mod", base == "go.work":
		return has(".go")
	case slices.Contains([]string{".csproj", ".fsproj", ".vbproj", ".runsettings", ".props", ".targets"}, path.Ext(base)), base == "xunit.runner.json":
		return has(".cs", ".fs", ".vb")
	case needsTests(p):
		return true
	default:
		return scripts
	}
}

// loads adds the setup files and plugins that a configuration names.
func (c *collector) loads(ctx context.Context, p, text string) {
	dir := path.Dir(p)
	for _, ref := range runner.Loads(ctx, p, []byte(text)) {
		ref = strings.TrimPrefix(strings.TrimPrefix(ref, "<rootDir>/"), "./")
		target := path.Join(dir, ref)
		if f := c.scriptFile(target); f != "" {
			c.add(f, Support)
			continue
		}
		for _, base := range []string{dir, path.Join(dir, "spec"), path.Join(dir, "test"), path.Join(dir, "lib")} {
			c.add(path.Join(base, ref+".rb"), Support)
		}
		c.add(c.pythonFile([]string{dir, path.Join(dir, "tests"), path.Join(dir, "src")}, ref), Support)
	}
}

var callee = regexp.MustCompile(`(?:^|[\s"'=@&|;(])(?:\./)?((?:[\w.-]+/)*[\w.-]+)`)

// called adds the scripts of the repository that the configuration calls and
// that run tests, and what these call.
func (c *collector) called(ctx context.Context) error {
	var queue []string
	for p, role := range c.roles {
		if role == Config {
			queue = append(queue, p)
		}
	}
	slices.Sort(queue)
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := queue[0]
		queue = queue[1:]
		text, ok, err := c.read(p)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		for _, m := range callee.FindAllStringSubmatch(text, -1) {
			for _, f := range []string{m[1], path.Join(path.Dir(p), m[1]), m[1] + "/action.yml", m[1] + "/action.yaml"} {
				if c.roles[f] != "" || !runner.IsConfig(f) && !runner.IsWorkflow(f) {
					continue
				}
				if body, ok, err := c.read(f); err == nil && ok && needsTests(f) && runner.RunsTests(ctx, f, []byte(body)) {
					c.add(f, Config)
					queue = append(queue, f)
				}
			}
		}
	}
	return nil
}
