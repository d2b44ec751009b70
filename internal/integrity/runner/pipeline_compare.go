package runner

import (
	"path"
	"slices"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// pipeline compares pipelines and task files: what ran tests must still run them, under no other condition, and count.
func (c *comparison) pipeline(before, after []byte) error {
	f, rules := formatOf(c.path), rulesOf(c.path)
	is, err := parsePipeline(after, f, c.around.Read)
	if err != nil {
		return err
	}
	was, err := parsePipeline(before, f, c.around.Read)
	if err != nil {
		return err
	}
	all := c.around.Called && len(is.events) == 0 && f == "github" &&
		!slices.ContainsFunc(was.units, (*unit).tests) // they prepare what runs tests
	if !was.gates() && !all {
		c.harmless("nothing in the approved version runs tests of a change")
		return nil
	}
	kind := violation.CINeutered
	c.kind = kind
	steering, steeringNow := was.steering(), is.steering()
	free := func(o option) bool {
		return was.ofJob(o.key, steering) || was.unit(path.Base(o.key)) == nil && is.ofJob(o.key, steeringNow)
	}
	for i, b := range was.units {
		if !steering[b] && !all {
			continue
		}
		a := is.unit(b.name)
		if i == 0 {
			a = is.units[0]
		}
		for _, n := range is.units[1:] { // a job that was renamed
			if a == nil && b.tests() && n.tests() && was.unit(n.name) == nil {
				a = n
			}
		}
		if a == nil {
			c.goneUnit(kind, b)
			continue
		}
		c.scripts(kind, b.commands, a.commands)
		more := rowsAdded(b.others.out, a.others.out)
		apart := func(o option) bool { return free(o) || more && included.MatchString(o.key) }
		c.options(rules, slices.DeleteFunc(slices.Clone(b.others.out), apart), slices.DeleteFunc(slices.Clone(a.others.out), apart))
		c.goneEntries(kind, b.others.out, a.others.out)
		for _, n := range b.needs {
			if b.sumsUp() && !slices.Contains(a.needs, n) && steering[was.unit(n)] {
				c.report(finding{kind, b.line, a.line, "Test results left out: " + b.name + " no longer asks for " + cut(n)})
			}
		}
	}
	for _, a := range is.units[1:] {
		if a.shared && was.unit(a.name) == nil {
			c.scripts(kind, nil, a.commands)
			c.options(rules, nil, a.others.out)
		}
	}
	return nil
}

func (c *comparison) goneUnit(kind violation.Kind, b *unit) {
	line := b.line
	for _, x := range slices.Backward(b.commands) {
		if x.run != nil {
			line = x.line
		}
	}
	if b.tests() {
		c.report(finding{kind, line, c.counterpart(line), "Tests no longer run: the job is gone that was " + b.name})
	} else {
		c.report(finding{violation.ConfigChanged, line, 0, "Test run changed: a job is gone that tests need: " + b.name})
	}
}

func isInertAction(name string) bool {
	return knownValues["actions"].MatchString(strings.ToLower(name))
}
