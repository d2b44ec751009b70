package rules

import (
	"fmt"
	"path"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// declaredName matches a function or type where code declares it.
var declaredName = lazyregexp.New(`(?m)^\s*(?:(?:export|default|public|static|abstract|async|pub|final)\s+)*(?:def|func|function|fn` +
	`|class|interface|struct|enum|trait|type|FUNCTION)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`)

var identifier = lazyregexp.New(`[A-Za-z_]\w*`)

var calledSpan = lazyregexp.New("`([A-Za-z_]\\w*)\\([^`]*\\)[^`]*`")

func missingNames(s *subject, spec *document) []workflow.Issue {
	present := s.namesNearby()
	var out []workflow.Issue
	seen := map[string]bool{}
	for _, i := range spec.titled(interfaceTitle) {
		for b := range spec.below(i) {
			re := calledSpan
			if b.kind == codeBlock {
				re = declaredName
			}
			for _, m := range re.FindAllStringSubmatch(b.text, 100) {
				if !seen[m[1]] && !present[m[1]] && m[1][0] != '_' {
					out = append(out, workflow.Issue{
						File:  s.Artifact.Path(),
						Title: fmt.Sprintf("%s is in the spec (%s:%d) but not in the skeleton", m[1], spec.path, b.line),
					})
				}
				seen[m[1]] = true
			}
		}
	}
	return out
}

// namesNearby are the names in the source files of the feature: those of the
// change, and what stands beside the artifact's.
func (s *subject) namesNearby() map[string]bool {
	files := map[string]bool{}
	for _, f := range s.Set.Files {
		files[f.Path] = f.Status != change.Deleted
	}
	for _, f := range s.Artifact.Files {
		files[f.Path] = true
		entries, err := s.Set.HeadTree.List(path.Dir(f.Path))
		if err != nil {
			continue // the artifact's own files still count
		}
		for _, e := range entries[:min(len(entries), maxNearby)] {
			files[e.Path] = true
		}
	}
	present := map[string]bool{}
	for file, there := range files {
		if _, ok := syntax.LanguageOf(file); !ok || !there {
			continue
		}
		text, _ := s.read(file)
		for _, w := range identifier.FindAll(text, -1) {
			present[string(w)] = true
		}
	}
	return present
}

// maxNearby is how many files of a folder are searched for names.
const maxNearby = 200

// touches reports whether the change adds a line between two.
func (f *source) touches(from, to int) bool {
	for l := from; l <= to; l++ {
		if f.added(l) {
			return true
		}
	}
	return false
}
