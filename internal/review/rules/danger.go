package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/code"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

// danger is a call, or something that is assigned to, that a value from outside
// must not reach.
type danger struct {
	languages []syntax.Language
	call      *lazyregexp.Regexp // what is called or assigned to, with the names that imports gave
	with      *lazyregexp.Regexp // must match somewhere in the call
	pasted    bool               // only a text that is put together counts
	severity  workflow.Severity  // "" = the rule's
}

var dynamicCode = []danger{
	{languages: in(syntax.Python), call: lazyregexp.New(`^(?:builtins\.)?(?:eval|exec)$`)},
	{languages: scripts(), call: lazyregexp.New(`^(?:(?:window|globalThis|global)\.)?(?:eval|(?:new )?Function|execScript)$` +
		`|^vm\.runIn\w+$`)},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^(?:\w+\.)?(?:eval|instance_eval|class_eval|module_eval)$`)},
	{languages: in(syntax.Java), call: lazyregexp.New(`(?:^|\.)\w*[eE]ngine\.eval$`)},
	{languages: in(syntax.CSharp), call: lazyregexp.New(`^CSharpScript\.\w+$`)},
	// loaders that build any object
	{
		languages: in(syntax.Python), call: lazyregexp.New(`^(?:c?[pP]ickle|marshal|dill)\.loads?$|^yaml\.(?:unsafe_)?load$`),
		severity: milder,
	},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^Marshal\.load$`), severity: milder},
	{languages: in(syntax.Java), call: lazyregexp.New(`^new (?:[\w.]+\.)?ObjectInputStream$`), severity: milder},
	{
		languages: in(syntax.CSharp), severity: milder,
		call: lazyregexp.New(`\bBinaryFormatter\(?\)?\.Deserialize$|[fF]ormatter\.Deserialize$`),
	},
}

var shell = []danger{
	{languages: in(syntax.Python), call: lazyregexp.New(`^os\.(?:system|popen)$|^subprocess\.get(?:status)?output$`)},
	{
		languages: in(syntax.Python), call: lazyregexp.New(`^(?:subprocess\.)?(?:run|call|check_call|check_output|Popen)$`),
		with: lazyregexp.New(`\bshell\s*=\s*True\b`),
	},
	{
		languages: scripts(), call: lazyregexp.New(`^(?:(?:cp|child_?[pP]rocess|shell|shelljs)\.)?exec(?:Sync)?$`),
		pasted: true,
	},
	{
		languages: scripts(), call: lazyregexp.New(`^(?:\w+\.)?(?:spawn|execFile)(?:Sync)?$`),
		with: lazyregexp.New(`\bshell:\s*true\b`),
	},
	{
		languages: in(syntax.Go), call: lazyregexp.New(`^exec\.Command(?:Context)?$`),
		with: lazyregexp.New(`"(?:/bin/)?(?:ba|z|da)?sh",\s*"-l?c"`),
	},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`^(?:Kernel\.)?(?:system|exec|spawn)$`), pasted: true},
	{languages: in(syntax.Java), call: lazyregexp.New(`\.exec$`), pasted: true},
	{languages: in(syntax.CSharp), call: lazyregexp.New(`^Process\.Start$`), pasted: true},
	{languages: in(syntax.Rust), call: lazyregexp.New(`\.arg$`), with: lazyregexp.New(`new\("(?:/bin/)?(?:ba)?sh"\)\s*\.arg\("-c"\)`)},
}

var unsafeHTML = []danger{
	{languages: scripts(), call: lazyregexp.New(`\.(?:inner|outer)HTML$|^(?:\w+\.)?document\.write(?:ln)?$|\.insertAdjacentHTML$` +
		`|^dangerouslySetInnerHTML$`)},
	{languages: in(syntax.Ruby), call: lazyregexp.New(`\.html_safe$|^raw$`)},
	{languages: in(syntax.Python), call: lazyregexp.New(`(?:^|\.)(?:mark_safe|Markup)$`)},
	{languages: in(syntax.Go), call: lazyregexp.New(`^template\.(?:HTML|JS)$`)},
	{languages: in(syntax.CSharp), call: lazyregexp.New(`^(?:\w+\.)?Html\.Raw$`)},
}

// threat is what a value from outside can do.
type threat int

const (
	ofCode threat = iota
	ofShell
	ofPage
	ofStatement
)

var threats = [...]struct {
	title   string
	dangers []danger
}{
	ofCode: {"Data is run as code", dynamicCode}, ofShell: {"A command line is built for a shell", shell},
	ofPage: {"Text is put into a page as HTML", unsafeHTML}, ofStatement: {"An SQL statement is put together from strings", nil},
}

// fixture matches files that tests hold ready: what is wrong with them is meant to be.
var fixture = lazyregexp.New(`(?i)(?:^|/)(?:fixtures?|testdata)/`)

// inDanger makes a rule of a threat: one issue for each expression on a line that
// the change adds that a value from outside reaches.
func inDanger(files func(*subject) []*source, t threat) func(*subject) []workflow.Issue {
	return func(s *subject) []workflow.Issue {
		var out []workflow.Issue
		for _, f := range files(s) {
			if f.tree == nil || t == ofShell && (f.command || f.isProgram()) || fixture.MatchString(f.path) {
				continue
			}
			f.terms.Root.Walk(func(n *code.Node) bool {
				made := f.minified && (t == ofStatement || t == ofPage) && len(f.lines[n.Line-1]) > longLine
				if made || !f.added(n.Line) { // told by artifact/unreadable
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
			return threats[t].title, ""
		}
		return "", ""
	}
	callee, values := f.calledWith(n)
	text := n.Src.Text()
	if callee == "" || len(text) > maxLine {
		return "", ""
	}
	for _, d := range threats[t].dangers {
		if !f.is(d.languages...) || !d.call.MatchString(callee) || d.with != nil && !d.with.MatchString(text) || safely.MatchString(text) {
			continue
		}
		if !slices.ContainsFunc(values, func(v *code.Node) bool {
			return (!d.pasted || v.Is(code.Binary, code.Template)) && f.outside(t, false).Has(v)
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
		if strings.Contains(text, "JSON.stringify") {
			severity = milder
		}
		return threats[t].title + ": " + cutLine(text, 50), severity
	}
	return "", ""
}

// safely matches what makes a loader or a compiler harmless.
var safely = lazyregexp.New(`SafeLoader|safe_?load|literal_eval|\bcompile\(`)

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
	case n.Is(code.Pair) && f.script(), n.Is(code.Other) && n.Src.Is("jsx_attribute"):
		if first.Is(code.Name) && len(n.Kids) > 1 && n.Src.Parent().Field("name").Text() != "style" {
			return first.Text, n.Kids[1:]
		}
	}
	return "", nil
}
