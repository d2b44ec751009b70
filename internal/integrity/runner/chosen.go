package runner

import (
	"context"
	"path"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
)

// testCommands are the calls of test runners in a pipeline, script or configuration, and the settings beside them.
func testCommands(ctx context.Context, p string, src []byte, read *Tree) (out []command, others options) {
	if src == nil || tooLarge(src) {
		return nil, nil
	}
	scripts, others := steeringScripts(ctx, p, src, read)
	switch f := formatOf(p); f {
	case "github", "ci", "tasks", "make", "lock", "go", "opaque":
	case "shell", "":
		if s, err := readScript(src, read); err == nil {
			scripts = append(scripts, s)
		}
	default:
		if o, err := readOptions(ctx, f, p, src); err == nil {
			others = append(others, o...)
		}
	}
	for _, s := range scripts {
		for _, c := range s {
			if c.run != nil {
				out = append(out, c)
			}
		}
	}
	return out, others
}

// Path is what a test runner is given to take files by: as it stands, and from the root.
type Path [2]string

// Paths are those that a pipeline, script or configuration gives to test runners.
func Paths(ctx context.Context, p string, src []byte, read *Tree) (out []Path) {
	commands, _ := testCommands(ctx, p, src, read)
	for _, c := range commands {
		for _, a := range c.run.args {
			if a.name == "" && !c.run.tool.goals {
				value := trimDots(a.value)
				out = append(out, Path{strings.TrimSuffix(value, "/"), path.Join(c.dir, value)})
			}
		}
	}
	return out
}

// Takes says of a file that it is the one named or in that folder, that it has it as a
// part of its name, that it matches it as a pattern.
func (p Path) Takes(file string) (says [3]bool) {
	for _, v := range p {
		says[0] = says[0] || v == "." || v == file || strings.HasPrefix(file, v+"/")
		says[1] = says[1] || strings.Contains(file, v)
		says[2] = says[2] || matches(v, file)
	}
	return says
}

// Chosen are words, in small letters, by which a pipeline, script or configuration may
// take tests in or leave them out by their names: what runners are given besides
// paths, and values of settings about names. flags are those of them that flags have.
func Chosen(ctx context.Context, p string, src []byte, read *Tree) (names, flags []string) {
	commands, others := testCommands(ctx, p, src, read)
	given := func(t *tool, args []arg) {
		for _, a := range args {
			switch free := t.flags[a.name].allowance == "free"; {
			case free && a.name != "", reporting.MatchString(a.name):
			case a.name != "":
				flags = append(flags, Words(a.value)...)
			case !t.goals && !strings.ContainsAny(a.value, "*?") && !strings.HasPrefix(a.value, ".") && read.at(a.value) == nil:
				names = append(names, Words(a.value)...)
			}
		}
	}
	for _, c := range commands {
		for _, e := range c.env {
			if name, val, _ := strings.Cut(e.text, "="); choosing.MatchString(name) {
				flags = append(flags, Words(val)...)
			}
		}
		given(c.run.tool, c.run.args)
	}
	for i := range others {
		o := &others[i]
		r, ok := ruleFor(rulesOf(p), o.key)
		if ok && r.allowance == "args" {
			t := toolNamed(r.arg)
			given(t, t.parse(argsOf(o)))
			continue
		}
		if ok && r.allowance == "free" || !choosing.MatchString(o.key) {
			continue
		}
		for _, v := range o.texts() {
			if !strings.Contains(v, "/*") && !strings.HasPrefix(v, "*.") { // files
				names = append(names, Words(v)...)
			}
		}
	}
	return append(names, flags...), flags
}

// choosing are names of settings and variables that hold patterns of names, or arguments of a runner.
var choosing = lazyregexp.New(`(?i)name|grep|filter|args|argline|addopts|opts|options|flags|commands|select|deselect|match` +
	`|groups|includes?|excludes?|skip|tags|keyword`)

// reporting are flags about what is measured, and where results are written.
var reporting = lazyregexp.New(`(?i)cov|report|log|out|xml|format|color|durations|timeout|settings|framework|config|^-[jcwr]$`)

// Words are the words of a text that can be parts of names, without those of one letter.
func Words(text string) (out []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if w = strings.Trim(w, "_"); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}
