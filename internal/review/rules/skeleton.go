package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func noSpec(s *subject) []workflow.Issue {
	if s.doc(s.Artifact.SpecPath) != nil {
		return nil
	}
	return []workflow.Issue{{File: s.Artifact.Path()}}
}

// declaredName matches a function or type where code declares it.
var declaredName = regexp.MustCompile(`(?m)^\s*(?:(?:export|default|public|static|abstract|async|pub|final)\s+)*(?:def|func|function|fn|class|interface|struct|enum|trait|type|FUNCTION)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`)

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

var calledSpan = regexp.MustCompile("`([A-Za-z_]\\w*)\\([^`]*\\)[^`]*`")

func missingNames(s *subject) workflow.Check {
	spec := s.doc(s.Artifact.SpecPath)
	if spec == nil {
		return workflow.Check{Outcome: workflow.Absent, Summary: "the feature's spec: not found"}
	}
	present := map[string]bool{}
	for _, f := range s.code() {
		for _, line := range f.lines {
			for _, w := range identifier.FindAllString(line, -1) {
				present[w] = true
			}
		}
	}
	var out []workflow.Issue
	seen := map[string]bool{}
	for _, i := range spec.titled(interfaceTitle) {
		for b := range spec.below(i) {
			re := calledSpan
			if b.kind == code {
				re = declaredName
			}
			for _, m := range re.FindAllStringSubmatch(b.text, 100) {
				if !seen[m[1]] && !present[m[1]] {
					out = append(out, workflow.Issue{File: s.Artifact.Path(), Title: fmt.Sprintf("%s is in the spec (%s:%d) but not in the skeleton", m[1], spec.path, b.line)})
				}
				seen[m[1]] = true
			}
		}
	}
	return workflow.Check{Issues: out}
}

// stubs yields the artifact's stubs in files that were parsed.
func (s *subject) functions(visit func(*source, syntax.Function, string)) {
	for _, f := range s.code() {
		if f.tree == nil {
			continue
		}
		for _, fn := range syntax.Functions(f.tree) {
			if fn.StartLine > 0 && fn.EndLine <= len(f.code) {
				visit(f, fn, strings.Join(f.code[fn.StartLine-1:fn.EndLine], "\n"))
			}
		}
	}
}

var raising = regexp.MustCompile(`(?i)\braise\b|\bthrows?\b|\bpanic\b|\btodo!|\bunimplemented!|\bnotimplemented|\bnot_implemented|\babort\b|\bfail\b`)

func silentStubs(s *subject) []workflow.Issue {
	var out []workflow.Issue
	s.functions(func(f *source, fn syntax.Function, text string) {
		if fn.Stub && !raising.MatchString(text) && fn.Name != "__init__" && fn.Name != "constructor" && !strings.HasSuffix(f.path, ".pyi") {
			out = append(out, workflow.Issue{File: f.path, Line: fn.StartLine, EndLine: fn.EndLine, Title: fmt.Sprintf("%s returns as if it worked", named(fn.Name))})
		}
	})
	return out
}

func named(name string) string {
	if name == "" {
		return "A function"
	}
	return cutLine(name, 60)
}
