package integrity

import (
	"maps"
	"path"
	"slices"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/integrity/runner"
	"workflow-reviewer/internal/lazyregexp"
)

// What stands in a file that makes evidence, or has it read: this program by its name, or its
// command.
var (
	names = lazyregexp.New(
		`(?i)\bworkflow-reviewer\b|\bprove\b|\baction (?:review|gate|integrity)\b|\buses:\s*['"]?\./['"]?\s`,
	)
	proves = lazyregexp.New(`(?i)\bprove\b`)
	calls  = lazyregexp.New(`\buses:\s*['"]?\./([\w./-]+)`)
)

// makesEvidence reports whether a file decides what evidence is worth, which evidence never
// answers: the versions of what is installed for the run, what runs prove or this action, and
// workflows that call such a one or are called by it. Where the merge base has nothing that is
// known to run prove, or the change touches all of it, that is any workflow.
func (c *checker) makesEvidence(p string) bool {
	switch {
	case runner.IsLock(p):
		return true
	case !runner.IsWorkflow(p):
		return runner.IsConfig(p) && slices.ContainsFunc(c.bothTexts(p), names.Match)
	}
	makers, known := c.makers()
	return !known || makers[p]
}

// bothTexts are the contents of a path on the merge base and in the head, where they can be read.
func (c *checker) bothTexts(p string) (out [][]byte) {
	for _, tree := range []change.Tree{c.Set.MergeBaseTree, c.Set.HeadTree} {
		if src, err := tree.ReadFile(p); err == nil {
			out = append(out, src)
		}
	}
	return out
}

// makers are the workflows and actions of the repository that make evidence. known is whether one
// of them runs prove and is as on the merge base.
func (c *checker) makers() (makers map[string]bool, known bool) {
	makers = map[string]bool{}
	links := map[string][]string{}
	for _, tree := range []change.Tree{c.Set.MergeBaseTree, c.Set.HeadTree} {
		list, err := tree.List("")
		if err != nil {
			return nil, false
		}
		for _, e := range list {
			if !runner.IsWorkflow(e.Path) {
				continue
			}
			src, err := tree.ReadFile(e.Path)
			_, touched := c.touched[e.Path]
			makers[e.Path] = makers[e.Path] || err != nil || names.Match(src)
			known = known || !touched && proves.Match(src)
			for _, m := range calls.FindAllSubmatch(src, -1) {
				for _, end := range []string{"", "/action.yml", "/action.yaml"} {
					to := path.Clean(string(m[1])) + end
					links[e.Path], links[to] = append(links[e.Path], to), append(links[to], e.Path)
				}
			}
		}
	}
	maps.DeleteFunc(makers, func(_ string, makes bool) bool { return !makes })
	for reached := slices.Collect(maps.Keys(makers)); len(reached) > 0; reached = reached[1:] {
		for _, next := range links[reached[0]] {
			if !makers[next] {
				makers[next] = true
				reached = append(reached, next)
			}
		}
	}
	return makers, known
}
