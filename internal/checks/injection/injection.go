// Package injection finds values from outside that are run as code, SQL or a command, or shown as
// HTML. It looks no further than the function that runs them: what goes through several is a
// scanner's business.
package injection

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
	"workflow-reviewer/internal/workflow"
)

var ofCode = []workflow.Type{workflow.Implementation, workflow.BugFix}

// Entries are the checks.
var Entries = []check.Entry{
	entry("code/dynamic-code", "eval", "Data is run as code",
		"eval, exec and the like run what they are given.", "Parse the data with a parser made "+
			"for it."),
	entry("code/shell-injection", "shell", "A command line is built for a shell",
		"A shell interprets what is in its command line.", "Pass the arguments as a list, "+
			"without a shell."),
	entry("code/sql-concatenation", "sql", "An SQL statement is put together from strings",
		"A value that is pasted into a statement can change it.", "Use placeholders and pass the "+
			"values apart."),
	entry("code/unsafe-html", "html", "Text is put into a page as HTML",
		"A page runs the scripts that are in its text.", "Set the text content, or escape the "+
			"value with a library."),
}

func entry(id, subject, title, why, fix string) check.Entry {
	return check.Entry{
		ID: id, Types: ofCode, Severity: workflow.Block, Category: workflow.Security, Title: title,
		Why: why + " Told where the value comes from a request, or from an argument of the same function, and goes through " +
			"no other call.",
		Fix: fix,
		Run: func(s *check.Subject) check.Result { return find(s, subject) },
	}
}

func find(s *check.Subject, subject string) check.Result {
	files := check.ReadBy(subject, s.Code())
	var issues []workflow.Finding
	for _, f := range files {
		for _, m := range f.Matches(subject) {
			sink, value := m.Node("sink"), m.Node("value")
			isMeant := subject != "sql" || startsStatement(value)
			if isMeant && f.Touches(sink) && fromOutside(value) {
				from, to := sink.StartLine(), sink.EndLine()
				issues = append(issues, workflow.Finding{File: f.Path, Line: from, EndLine: to})
			}
		}
	}
	return check.Lines(issues, files)
}

var statement = lazyregexp.New(
	`(?i)["'\x60]\s*(?:select|insert|update|delete|replace|drop|alter|create|with)\s`,
)

// startsStatement reports whether a value begins like SQL: the sinks of databases take other texts
// as well.
func startsStatement(value syntax.Node) bool {
	return statement.MatchString(resolved(value).Text())
}

// request matches what a web framework hands over.
var request = lazyregexp.New(
	`\b(?:req|request|ctx\.request)\.(?:body|query|params|headers|cookies|args|form|values|json|GET|POST|files)\b` +
		`|\bparams\[|\br\.(?:FormValue|PostFormValue|URL\.Query)\b|\bgetParameter\(` +
		`|\blocation\.(?:hash|search|href)\b|\bRequest\.(?:Query|Form)\b`,
)

// fromOutside reports whether a value is made of what a request or an argument of the function
// around it gives.
func fromOutside(value syntax.Node) bool {
	function := around(value)
	return outside(value, function, parameters(function), 0)
}

// around is the function that a value is in.
func around(value syntax.Node) syntax.Node {
	p := value.Parent()
	for !p.IsZero() && !p.IsFunction() {
		p = p.Parent()
	}
	return p
}

// maxSteps limits the assignments that a value is followed through.
const maxSteps = 3

func outside(value, function syntax.Node, given []string, step int) bool {
	if request.MatchString(value.Text()) && !isCall(value) {
		return true
	}
	for _, name := range names(value) {
		if slices.Contains(given, name) {
			return true
		}
		v := assigned(function, name)
		if step < maxSteps && !v.IsZero() && outside(v, function, given, step+1) {
			return true
		}
	}
	return false
}

// resolved is the value of a name that the function assigns, or the value itself.
func resolved(value syntax.Node) syntax.Node {
	if value.Is("identifier") {
		if v := assigned(around(value), value.Text()); !v.IsZero() {
			return v
		}
	}
	return value
}

// parameters are the names of a function's parameters.
func parameters(function syntax.Node) (out []string) {
	for _, field := range []string{"parameters", "parameter"} {
		list := function.Field(field)
		for n := range list.All("identifier", "simple_parameter") {
			name := n.FieldName()
			if name != "type" && name != "default_value" && name != "value" &&
				!slices.Contains([]string{"self", "cls", "this"}, n.Text()) {
				out = append(out, n.Text())
			}
		}
	}
	return out
}

// formats matches calls that put texts together; what goes through any other call is not followed.
var formats = lazyregexp.New(
	`(?:\.format|\.join|\.concat|Sprintf|\.Format|format!|\bstr|\bString)$`,
)

func isCall(n syntax.Node) bool {
	if !n.Is("call", "call_expression", "method_invocation", "invocation_expression") {
		return false
	}
	callee, _, _ := strings.Cut(n.Text(), n.Field("arguments").Text())
	return !formats.MatchString(strings.TrimSpace(callee))
}

// names are the identifiers of a value that stand in no call: what a call makes of its arguments is
// not known.
func names(value syntax.Node) (out []string) {
	value.Walk(func(n syntax.Node) bool {
		if isCall(n) {
			return false
		}
		if n.Is("identifier") && n.FieldName() != "attribute" && n.FieldName() != "property" &&
			n.FieldName() != "method" {
			out = append(out, n.Text())
		}
		return true
	})
	return out
}

// assigned returns the value that a function gives to a local name, in its last assignment of the
// kind `name = value`.
func assigned(function syntax.Node, name string) (value syntax.Node) {
	kinds := []string{
		"assignment",
		"variable_declarator",
		"assignment_expression",
		"short_var_declaration",
		"let_declaration",
	}
	for n := range function.All(kinds...) {
		left := firstOf(n, "left", "name", "pattern")
		right := firstOf(n, "right", "value")
		if strings.TrimSpace(left.Text()) == name && !right.IsZero() {
			value = right
		}
	}
	return value
}

func firstOf(n syntax.Node, fields ...string) syntax.Node {
	for _, f := range fields {
		if c := n.Field(f); !c.IsZero() {
			return c
		}
	}
	return syntax.Node{}
}
