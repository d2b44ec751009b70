package runner

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

// shell compares two versions of a shell script.
func (c *comparison) shell(before, after []byte) error {
	is, err := readScript(after)
	if err != nil {
		return err
	}
	was, err := readScript(before)
	if err != nil {
		return err
	}
	if len(was.runs)+len(is.runs) == 0 && !isTestScript("./"+c.path) {
		c.harmless("the script runs no tests")
		return nil
	}
	n := len(c.result.Violations)
	c.scripts(violation.TestScriptNeutered, was, is)
	if len(was.runs) == 0 && before != nil && isTestScript("./"+c.path) {
		line := c.firstDifference()
		c.report(finding{
			violation.ConfigChanged, min(line, len(c.before)), min(line, len(c.after)),
			"Test script changed: what it runs is not known",
		})
	}
	if len(c.result.Violations) == n {
		c.harmless("the script still runs the same tests")
	}
	return nil
}

func readScript(src []byte) (script, error) {
	text := string(src)
	first, _, _ := strings.Cut(text, "\n")
	s := shell{}
	if strings.HasPrefix(first, "#!") {
		for _, f := range strings.Fields(first)[1:] {
			s.errexit = s.errexit || strings.HasPrefix(f, "-") && strings.Contains(f, "e")
		}
	}
	return s.read(text, 1)
}
