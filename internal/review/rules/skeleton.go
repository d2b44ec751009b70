package rules

import (
	"fmt"
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

func skeletonRules() []rule {
	types := only(workflow.Skeleton)
	return []rule{
		{
			Rule: Rule{
				ID: "skeleton/no-spec", Types: types, Severity: workflow.Medium, Criterion: "Spec",
				Title:       "There is no spec to hold the skeleton against",
				Explanation: "A skeleton lays down the interface that a spec describes. No spec of the feature was found in the head commit.",
			},
			pass: "the feature has a spec",
			fix:  "Name the feature as its spec is named, or write the spec first.",
			run:  issues(noSpec),
		},
		{
			Rule: Rule{
				ID: "skeleton/missing-name", Types: types, Severity: workflow.Medium, Criterion: "Spec",
				Title:       "The skeleton lacks a name of the spec's interface",
				Explanation: "Functions and types that the spec declares in the code of its interface sections must be in the skeleton. Without a spec there is nothing to compare with.",
			},
			pass: "every name of the spec's interface is there",
			fix:  "Add a stub of that name, or correct the spec.",
			run:  missingNames,
		},
		{
			Rule: Rule{
				ID: "skeleton/silent-stub", Types: types, Severity: workflow.Medium, Criterion: "Stubs",
				Title:       "A stub returns as if it worked",
				Explanation: "A stub should raise, panic or throw. One that returns a zero value or does nothing can pass a test that was meant to fail.",
			},
			pass: "every stub raises",
			fix:  "Let the stub raise NotImplementedError, panic, or throw, as the language does.",
			run:  issues(silentStubs),
		},
		{
			Rule: Rule{
				ID: "skeleton/undocumented", Types: types, Severity: workflow.Low, Criterion: "Documentation",
				Title:       "A public function has no documentation",
				Explanation: "The comment on a stub is its contract until there is code. Functions that are private by their language's rules need none.",
			},
			pass: "public functions are documented",
			fix:  "Say what it takes, what it returns, and how it fails.",
			run:  issues(undocumented),
		},
		{
			Rule: Rule{
				ID: "skeleton/untyped", Types: types, Severity: workflow.Low, Criterion: "Signatures",
				Title:       "A signature has no types",
				Explanation: "Parameters and results of public Python functions carry annotations.",
			},
			pass: "signatures are typed",
			fix:  "Annotate the parameters and the result.",
			run:  issues(untyped),
		},
	}
}

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
