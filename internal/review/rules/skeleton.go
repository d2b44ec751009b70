package rules

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

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

// public reports whether others may call the function, by its language's
// rules or customs.
func public(f *source, name, text string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	switch {
	case name == "":
		return false
	case f.is(syntax.Go):
		return unicode.IsUpper(first)
	case f.is(syntax.Rust):
		return regexpPub.MatchString(text)
	case f.is(syntax.Java, syntax.CSharp):
		return regexpPublic.MatchString(text)
	case f.is(syntax.Python, syntax.Ruby):
		return first != '_'
	default:
		return first != '_' && first != '#'
	}
}

var (
	regexpPub    = regexp.MustCompile(`\bpub\b`)
	regexpPublic = regexp.MustCompile(`\bpublic\b`)
)

func undocumented(s *subject) []workflow.Issue {
	var out []workflow.Issue
	s.functions(func(f *source, fn syntax.Function, text string) {
		if fn.Kind != syntax.Defined || !public(f, fn.Name, text) || f.documented(fn) {
			return
		}
		out = append(out, workflow.Issue{File: f.path, Line: fn.StartLine, Title: named(fn.Name) + " has no documentation"})
	})
	return out
}

// documented reports whether a comment ends in the line above a function, or
// a Python docstring begins its body.
func (f *source) documented(fn syntax.Function) bool {
	notes := f.notes()
	if notes.comment[fn.StartLine-1] || notes.comment[fn.StartLine] {
		return true
	}
	for l := fn.StartLine; f.is(syntax.Python) && l <= min(fn.EndLine, fn.StartLine+50); l++ {
		if notes.docstring[l] {
			return true
		}
	}
	// attributes and export keywords may stand between the two
	above := fn.StartLine - 2
	for above >= 0 && attribute.MatchString(f.lines[above]) {
		above--
	}
	return above >= 0 && above < fn.StartLine-2 && commentLine.MatchString(f.lines[above])
}

// notes are the lines on which comments stand, and those of Python functions
// that have a docstring.
type notes struct{ comment, docstring map[int]bool }

func (f *source) notes() notes {
	if f.noted != nil {
		return *f.noted
	}
	f.noted = &notes{map[int]bool{}, map[int]bool{}}
	for _, c := range f.comments {
		for i := range split(strings.TrimRight(c.text, "\n")) {
			f.noted.comment[c.line+i] = true
		}
	}
	if f.tree != nil && f.is(syntax.Python) {
		for n := range f.tree.Root().All("function_definition") {
			first := n.Field("body").FirstChild()
			if first.Is("string") || first.Is("expression_statement") && first.FirstChild().Is("string") {
				f.noted.docstring[n.StartLine()] = true
			}
		}
	}
	return *f.noted
}

var (
	attribute   = regexp.MustCompile(`^\s*(?:@\w|#\[|\[\w)`)
	commentLine = regexp.MustCompile(`^\s*(?://|/\*|\*|#)`)
)

func untyped(s *subject) []workflow.Issue {
	var out []workflow.Issue
	for _, f := range s.code() {
		if f.tree == nil || !f.is(syntax.Python) || strings.HasPrefix(f.path, "test") {
			continue
		}
		for n := range f.tree.Root().All("function_definition") {
			name := n.Field("name").Text()
			if strings.HasPrefix(name, "_") && name != "__init__" || n.Up("function_definition").IsNamed() {
				continue
			}
			if what := bare(n, name); what != "" {
				out = append(out, workflow.Issue{File: f.path, Line: n.StartLine(), Title: fmt.Sprintf("%s: %s", cutLine(name, 60), what)})
			}
		}
	}
	return out
}

// bare names what a Python function leaves without annotation.
func bare(n syntax.Node, name string) string {
	for i, p := range n.Field("parameters").Named() {
		if p.Is("identifier", "default_parameter") && !(i == 0 && (p.Text() == "self" || p.Text() == "cls")) {
			return "parameter " + cutLine(p.Text(), 40) + " has no type"
		}
	}
	if n.Field("return_type").IsZero() && name != "__init__" {
		return "the result has no type"
	}
	return ""
}
