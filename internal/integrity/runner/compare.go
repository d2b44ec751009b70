package runner

import (
	"bytes"
	"context"
	"path"
	"regexp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// Compare judges the difference between two versions of a configuration file,
// workflow or autoloaded file. A nil before is a new file, a nil after one that
// is gone. Lines of violations count in after, or in before for what is gone.
// Of a file that is neither, any difference is a violation.
func Compare(p string, before, after []byte) Result {
	c := newComparison(p, before, after)
	switch {
	case bytes.Equal(before, after) && (before == nil) == (after == nil):
	case tooLarge(before) || tooLarge(after):
		c.unread(errTooLarge)
	case before != nil && after == nil:
		c.gone(before)
	default:
		c.compare(before, after)
		if len(c.result.Violations)+len(c.result.Harmless) == 0 {
			c.harmless("only layout or comments differ")
		}
	}
	return c.finish()
}

func (c *comparison) compare(before, after []byte) {
	ctx := context.Background() // parsing is bounded by itself
	f := formatOf(c.path)
	if f == none {
		c.loaded(ctx, before, after)
		return
	}
	var err error
	switch f {
	case packageJSON:
		err = c.packageJSON(ctx, before, after)
	case makefile:
		c.makefile(before, after)
	case shellScript:
		err = c.shell(before, after)
	case github:
		err = c.workflow(before, after)
	case pipeline, taskfile:
		err = c.pipeline(before, after)
	case statements:
		c.statements(before, after)
	case goModule:
		c.goModule(before, after)
	default:
		err = c.settings(ctx, f, before, after)
	}
	if err != nil {
		c.unread(err)
	}
}

// settings compares files that are keys and values.
func (c *comparison) settings(ctx context.Context, f format, before, after []byte) error {
	is, err := readOptions(ctx, f, c.path, after)
	if err != nil {
		return err
	}
	var was options
	if before != nil {
		if was, err = readOptions(ctx, f, c.path, before); err != nil {
			return err
		}
	}
	if f == projectFile && !testProject(before) && !testProject(after) && !strings.Contains(strings.ToLower(c.path), "test") && strings.HasSuffix(c.path, "proj") {
		c.harmless("it is no test project")
		return nil
	}
	c.options(rulesOf(f, c.path), was, is)
	return nil
}

var testSDK = regexp.MustCompile(`(?i)IsTestProject|xunit|nunit|MSTest|Microsoft\.NET\.Test\.Sdk|TUnit`)

// testProject reports whether a project of .NET holds tests.
func testProject(src []byte) bool { return testSDK.Match(src) }

func readOptions(ctx context.Context, f format, p string, src []byte) (options, error) {
	switch f {
	case iniFile, properties:
		return parseINI(src)
	case tomlFile:
		return parseTOML(src)
	case packageJSON, jsonFile:
		return parseJSON(ctx, src)
	case scriptFile:
		return parseScript(ctx, p, src)
	case yamlFile:
		root, err := parseYAML(src)
		if err != nil {
			return nil, err
		}
		var b builder
		flattenYAML(root, nil, 1, &b, 0)
		return b.out, nil
	case argumentsFile:
		return options{{key: "arguments", name: "arguments", line: 1, values: argumentLines(src)}}, nil
	default:
		return parseXML(src)
	}
}

// argumentLines are the lines of a file of arguments, without comments.
func argumentLines(src []byte) []value {
	var out []value
	for i, l := range lines(src) {
		if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
			out = append(out, value{text: l, line: i + 1})
		}
	}
	return out
}

// rulesOf are the rules for the settings of a file.
func rulesOf(f format, p string) []rule {
	name := strings.ToLower(path.Base(p))
	switch {
	case f == mavenFile:
		return mavenRules()
	case f == projectFile:
		return dotnetRules()
	case f == runSettings:
		return runSettingsRules()
	case name == ".npmrc":
		return []rule{{key: "{script-shell,node-options}", effect: loads, kind: violation.TestScriptNeutered}}
	case f == properties:
		return []rule{
			{key: "org.gradle.**", effect: harmless},
			{key: "{*skip*test*,*test*skip*,*ignore*fail*,skip*}", effect: loose},
			{key: "*{coverage,minimum}*", effect: threshold},
		}
	case f == argumentsFile:
		t := rspec()
		switch name {
		case "mocha.opts":
			t = mocha()
		case "maven.config":
			t = maven()
		}
		return []rule{{key: "arguments", effect: arguments, tool: t}}
	case name == "cargo.toml", name == "nextest.toml", strings.Contains(p, ".cargo/"):
		return cargoRules()
	case f == iniFile, f == tomlFile:
		return pythonRules()
	default:
		return scriptRules(name)
	}
}

// scriptRules are the rules for configurations of JavaScript runners.
func scriptRules(name string) []rule {
	statementsChanged := rule{key: statementsKey, effect: loads, kind: violation.ConfigChanged}
	switch {
	case strings.HasPrefix(name, "jest"):
		return append([]rule{statementsChanged}, jestRules("")...)
	case strings.HasPrefix(name, "vitest"), strings.HasPrefix(name, "vite."):
		return append([]rule{statementsChanged}, vitestRules("")...)
	case strings.HasPrefix(name, ".mocharc"):
		return append([]rule{statementsChanged}, mochaRules("")...)
	case strings.HasPrefix(name, ".nycrc"), strings.HasPrefix(name, ".c8rc"), strings.HasPrefix(name, "nyc."):
		return nycRules("")
	case strings.HasPrefix(name, "ava."):
		return append([]rule{statementsChanged}, avaRules("")...)
	case strings.HasPrefix(name, "babel."), strings.HasPrefix(name, ".babelrc"):
		return append([]rule{statementsChanged}, babelRules()...)
	case strings.HasPrefix(name, "tsconfig"):
		return tsconfigRules()
	case name == "xunit.runner.json":
		return xunitRules()
	default:
		return browserRules()
	}
}
