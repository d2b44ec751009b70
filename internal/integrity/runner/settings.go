package runner

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

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
	if kindOfFile(c.path).rules == "dotnet" && !testProject.Match(before) && !testProject.Match(after) &&
		!strings.Contains(strings.ToLower(c.path), "test") && strings.HasSuffix(c.path, "proj") {
		c.harmless("it is no test project")
		return nil
	}
	if IsWorkflow(c.path) {
		was, is = untilTests(was), untilTests(is)
	}
	if f == "blocks" && kindOfFile(c.path).rules == "statements" {
		c.scripts(violation.TestScriptNeutered, commandsIn(was), commandsIn(is))
	}
	c.options(rulesOf(c.path), was, is)
	return nil
}

var testProject = lazyregexp.New(`(?i)IsTestProject|xunit|nunit|MSTest|Microsoft\.NET\.Test\.Sdk|TUnit`)

func readOptions(ctx context.Context, f format, p string, src []byte) (options, error) {
	switch f {
	case "ini":
		return parseINI(src)
	case "toml":
		return parseTOML(src)
	case "package", "json":
		return parseJSON(ctx, src)
	case "blocks":
		return parseBlocks(src)
	case "yaml":
		root, err := parseYAML(src)
		if err != nil {
			return nil, err
		}
		var b builder
		flattenYAML(root, nil, 1, &b, 0)
		return b.out, nil
	case "lines":
		var b builder
		b.add([]string{"arguments"}, 1)
		for i, l := range lines(src) {
			if l = strings.TrimSpace(l); l != "" && l[0] != '#' {
				b.add([]string{"arguments"}, 1, value{text: l, line: i + 1})
			}
		}
		return b.out, nil
	default:
		return parseXML(src)
	}
}

var stageOf = lazyregexp.New(`(?:^|/)stage(?:\[(\d+)\])?/`)

// untilTests are the options of a pipeline of stages without the stages that
// follow the last one that runs tests: their failure cannot be taken back there.
func untilTests(o options) options {
	stage := func(x option) int {
		m := stageOf.FindStringSubmatch(x.key + "/")
		if m == nil {
			return 0
		}
		n, _ := strconv.Atoi(m[1])
		return max(n, 1)
	}
	last := 0
	for _, x := range o {
		if commandsIn(options{x}).tests() {
			last = max(last, stage(x))
		}
	}
	return slices.DeleteFunc(o, func(x option) bool { return last > 0 && stage(x) > last })
}

// options compares two versions of a file's settings.
func (c *comparison) options(rules []rule, before, after options) {
	was, is := before.index(), after.index()
	for i := range after {
		o := &after[i]
		same := func(v, w value) bool { return v.text == w.text && v.code == w.code }
		if w := was[o.key]; w == nil || !slices.EqualFunc(w.values, o.values, same) {
			c.option(rules, w, o)
		}
	}
	for i := range before {
		if is[before[i].key] == nil {
			c.option(rules, &before[i], nil)
		}
	}
}

func (c *comparison) option(rules []rule, was, is *option) {
	if len(was.texts())+len(is.texts()) == 0 {
		return // a section; what it holds counts
	}
	r, known := ruleFor(rules, difference{was: was, is: is}.key())
	d := difference{r, was, is, c.around.Unused}
	if known && d.harmless() {
		c.harmless("%s differs: %s", d.name(), r.allowance)
		return
	}
	for _, f := range d.describe(c.kind) {
		c.report(f)
	}
}

// retrying and loading are names of settings and flags by what they do.
var (
	retrying = lazyregexp.New(`(?i)retr(?:y|ies)|rerun|flaky|max-runs`)
	loading  = expression("loading")
)

func (s Surroundings) follow(text string) string {
	if len(s.Tests) == 0 {
		return text
	}
	return pathToken.ReplaceAllStringFunc(text, func(token string) string {
		bare := strings.TrimSuffix(strings.TrimPrefix(token, "./"), "/")
		if now := s.movedTo(bare); now != "" {
			return strings.Replace(token, bare, now, 1)
		}
		return token
	})
}

var pathToken = lazyregexp.New(`[\w.@+~-]+(?:/[\w.@+~-]+)*/?`)

func (s Surroundings) movedTo(p string) string {
	if now := s.Tests[p]; now != "" && now != p {
		return now
	}
	to := ""
	for was, now := range s.Tests {
		rest, inside := strings.CutPrefix(was, p+"/")
		if !inside {
			continue
		}
		dir, same := strings.CutSuffix(now, "/"+rest)
		if !same || dir == p || to != "" && dir != to {
			return ""
		}
		to = dir
	}
	return to
}
