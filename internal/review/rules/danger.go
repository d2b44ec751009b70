package rules

import (
	_ "embed" // the table
	"path"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// danger is a call, or something that is assigned to, that a value from outside must not reach: a line of dangers.txt.
type danger struct {
	language string             // "script" for all that are JavaScript or TypeScript
	call     *lazyregexp.Regexp // what is called or assigned to, with the names that imports gave
	with     *lazyregexp.Regexp // must match somewhere in the call
	pasted   bool               // only a text that is put together counts
	asked    bool               // only what a request or an address brings counts
	severity workflow.Severity  // "" = the rule's
}

//go:embed dangers.txt
var dangersTable string

// dangers are those of each threat. They are made once, for the sake of their patterns.
var dangers = sync.OnceValue(func() map[string][]danger {
	out := map[string][]danger{}
	for line := range strings.Lines(dangersTable) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		d := danger{language: f[1], call: lazyregexp.New(f[2]), pasted: f[4] == "pasted", asked: f[4] == "asked"}
		if f[3] != "-" {
			d.with = lazyregexp.New(f[3])
		}
		if f[4] == string(milder) {
			d.severity = milder
		}
		out[f[0]] = append(out[f[0]], d)
	}
	return out
})

func (d danger) of(f *source) bool {
	return d.language == string(f.language) || d.language == "script" && f.script()
}

// threat is what a value from outside can do.
type threat int

const (
	ofCode threat = iota
	ofShell
	ofPage
	ofStatement
)

// threats are their names in dangers.txt, and what is said of them.
var threats = [...]struct{ name, title string }{
	ofCode: {"code", "Data is run as code"}, ofShell: {"shell", "A command line is built for a shell"},
	ofPage: {"page", "Text is put into a page as HTML"}, ofStatement: {"statement", "An SQL statement is put together from strings"},
}

// fixture matches files that tests hold ready: what is wrong with them is meant to be.
var fixture = lazyregexp.New(`(?i)(?:^|/)(?:fixtures?|testdata)/`)

// inDanger makes a rule of a threat: one issue for each expression on a line that
// the change adds that a value from outside reaches.
func inDanger(files func(*subject) []*source, t threat) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		var out []workflow.Issue
		for _, f := range files(s) {
			if fixture.MatchString(f.path) {
				continue
			}
			if out = append(out, f.inLines(t)...); f.tree == nil {
				continue
			}
			f.terms.Root.Walk(func(n *code.Node) bool {
				made := f.packed(n.Line) && (t == ofStatement || t == ofPage || len(strings.TrimSpace(f.code[n.Line-1])) > bundledLine)
				if made || !f.added(n.Line) {
					return true
				}
				title, severity := f.judge(n, t)
				if title != "" {
					out = append(out, workflow.Issue{File: f.path, Line: n.Line, EndLine: n.EndLine(), Title: title, Severity: severity})
				}
				return title == ""
			})
		}
		return out
	}
}

// judge says what is wrong with an expression, "" if nothing is.
func (f *source) judge(n *code.Node, t threat) (string, workflow.Severity) {
	if t == ofStatement {
		if f.joinsSQL(n) {
			return threats[t].title, map[bool]workflow.Severity{true: milder}[f.isTool() || fills.MatchString(f.path)]
		}
		return "", ""
	}
	callee, values := f.calledWith(n)
	text := n.Src.Text()
	if callee == "" || len(text) > maxLine || t == ofCode && !n.Is(code.Call) { // <Form eval={…}>
		return "", ""
	}
	for _, d := range dangers()[threats[t].name] {
		if !d.of(f) || !d.call.MatchString(callee) || d.with != nil && !d.with.MatchString(f.withNames(text, values)) ||
			safely.MatchString(text) {
			continue
		}
		onlyAsked := d.asked || t == ofShell && (f.command || f.isProgram()) // who starts a program has a shell
		if !slices.ContainsFunc(values, func(v *code.Node) bool {
			own := d.severity == milder && len(f.terms.Assigned(code.First(n.Kid(0)).Text)) > 0 // yaml = YAML()
			return !own && (!d.pasted || v.Is(code.Binary, code.Template)) &&
				(!onlyAsked && f.outside(t, false).Has(v) || (onlyAsked || t == ofPage) && f.outside(t, true).Has(v))
		}) {
			continue
		}
		severity := d.severity
		if t == ofShell {
			severity = milder
		}
		if slices.ContainsFunc(values, f.outside(t, true).Has) {
			severity = workflow.High // somebody else decides what runs
		}
		if strings.Contains(text, "JSON.stringify") || t == ofPage && severity == "" && f.minded(n, values) {
			severity = milder
		}
		return threats[t].title + ": " + cutLine(text, 50), severity
	}
	return "", ""
}

// withNames is a text with what its values stand for.
func (f *source) withNames(text string, values []*code.Node) string {
	for _, v := range values {
		if v.Is(code.Name) {
			for _, a := range f.terms.Assigned(v.Text) {
				text += "\n" + a.Src.Text()
			}
		}
	}
	return text
}

// inLines finds a danger in what is not parsed, by lines.
func (f *source) inLines(t threat) []workflow.Issue {
	var out []workflow.Issue
	for i, line := range f.lines {
		if !f.added(i+1) || len(line) > maxLine || commentLine.MatchString(line) {
			continue
		}
		for _, d := range dangers()[threats[t].name] {
			if d.language == path.Ext(f.path) && d.call.MatchString(line) && (d.with == nil || !d.with.MatchString(line)) {
				out = append(out, workflow.Issue{
					File: f.path, Line: i + 1, Severity: d.severity, Title: threats[t].title + ": " + cutLine(strings.TrimSpace(line), 50),
				})
				break
			}
		}
	}
	return out
}

var commentLine = lazyregexp.New(`^\s*(?://|#|\*|/\*|<!--)`)

// escapes matches a value of a page that is made harmless, markup the name of one that was put together elsewhere.
var (
	escapes = lazyregexp.New(`\$\{\s*(?:\w+\.)*\w*(?:[eE]sc|[sS]anitiz)\w*\(`)
	markup  = lazyregexp.New(`\w(?:HTML|Markup)$`)
	shows   = lazyregexp.New(`(?i)(?:^|/)(?:examples?|samples?|demos?|docs|prototypes?|mock-?ups?)(?:[-_][\w-]+)?/`)
)

// minded reports whether who wrote a page minds what goes into it: the function escapes other values, or gets
// markup. What only shows how something is used, or will look, is no page of the product.
func (f *source) minded(n *code.Node, values []*code.Node) bool {
	fn := n.Outer(code.Func)
	return shows.MatchString(f.path) || fn != nil && escapes.MatchString(fn.Src.Text()) ||
		slices.ContainsFunc(values, func(v *code.Node) bool { return markup.MatchString(code.Dotted(code.First(v))) })
}

// safely matches what makes a loader or a compiler harmless.
var safely = lazyregexp.New(`SafeLoader|safe_?load|literal_eval|\bcompile\(`)

// servesPages reports whether what a handler of the file returns is a page.
func (f *source) servesPages() bool {
	for _, full := range f.terms.Imports {
		if strings.HasPrefix(full, "flask") || strings.HasSuffix(full, "HTMLResponse") {
			return true
		}
	}
	return false
}

// calledWith is what a node calls or assigns to, and the values that it gets.
func (f *source) calledWith(n *code.Node) (callee string, values []*code.Node) {
	switch first := n.Kid(0); {
	case n.Is(code.Call):
		callee, values = f.terms.Callee(n), n.Args()
		if n.Text == "new" {
			callee = "new " + callee
		}
		if len(values) == 0 && f.is(syntax.Ruby) && first.Is(code.Member) { // text.html_safe
			callee, values = "."+first.Text, []*code.Node{first.Kid(0)}
		} else if callee == "" && first.Is(code.Member) {
			callee = "." + first.Text
		}
		return callee, slices.DeleteFunc(slices.Clone(values), func(v *code.Node) bool {
			return v.Is(code.Pair) && v.Text == "kw" || v.Src.Parent().Is("block_argument")
		})
	case n.Is(code.Assign) && first.Is(code.Member):
		return "." + first.Text, n.Kids[1:]
	case n.Is(code.Return) && (f.is(syntax.Java) || f.is(syntax.Python) && f.servesPages()):
		return "return", n.Kids
	case n.Is(code.Pair) && f.script(), n.Is(code.Other) && n.Src.Is("jsx_attribute"):
		if first.Is(code.Name) && len(n.Kids) > 1 && n.Src.Parent().Field("name").Text() != "style" {
			return first.Text, n.Kids[1:]
		}
	}
	return "", nil
}
