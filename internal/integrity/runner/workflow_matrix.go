package runner

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/integrity/violation"
)

// matrix compares how many variants of a job there are.
func matrix(was, is *yaml.Node) []finding {
	b, a := child(child(was, "strategy"), "matrix"), child(child(is, "strategy"), "matrix")
	if b == nil || b.Kind != yaml.MappingNode {
		return nil
	}
	if a == nil || a.Kind != yaml.MappingNode {
		if len(b.Content) < 2 || size(b.Content[1]) < 2 {
			return nil
		}
		line, _ := pair(child(was, "strategy"), "matrix")
		return []finding{{violation.CINeutered, line.Line, 0, "Tests run in fewer variants: the job's matrix is gone"}}
	}
	if variants(a) >= variants(b) {
		return nil
	}
	for i := 0; i+1 < len(b.Content); i += 2 {
		name := b.Content[i].Value
		k, v := pair(a, name)
		switch {
		case name == "exclude":
		case k == nil && size(b.Content[i+1]) > 0:
			return []finding{{violation.CINeutered, b.Content[i].Line, 0, fmt.Sprintf("Tests run in fewer variants: %s is gone from the matrix", name)}}
		case k != nil && (size(v) < size(b.Content[i+1]) || v.Kind != b.Content[i+1].Kind):
			return []finding{{violation.CINeutered, b.Content[i].Line, k.Line, fmt.Sprintf("Tests run in fewer variants: %s has %d entries, it had %d", name, size(v), size(b.Content[i+1]))}}
		}
	}
	k, _ := pair(a, "exclude")
	if k == nil {
		return nil
	}
	return []finding{{violation.CINeutered, 0, k.Line, "Tests run in fewer variants: the matrix leaves more out"}}
}

// variants counts the jobs that a matrix makes, roughly: an entry of include
// may extend another instead of being one of its own.
func variants(m *yaml.Node) int {
	const most = 256 // of one matrix, at GitHub
	n := 0
	for i := 0; i+1 < len(m.Content); i += 2 {
		if name := m.Content[i].Value; name != "include" && name != "exclude" {
			n = min(max(n, 1)*max(size(m.Content[i+1]), 1), most)
		}
	}
	return n + size(child(m, "include")) - size(child(m, "exclude"))
}

func size(n *yaml.Node) int {
	if n == nil || n.Kind != yaml.SequenceNode {
		return 0
	}
	return len(n.Content)
}
