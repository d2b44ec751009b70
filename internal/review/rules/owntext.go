package rules

import (
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

var (
	// numberName is how what holds a number is called, and restoredName what was
	// read from the page before.
	numberName   = regexp.MustCompile(`(?i)(?:id|ids|count|index|number|num|total|length|width|height|size|percent|price|amount|year)$`)
	restoredName = regexp.MustCompile(`^(?:_?(?:original|orig|prev|previous|saved|initial|backup)[A-Z_]\w*|innerHTML)$`)
	// translates is what looks a text of the project up by its key, and counts
	// what makes a number or a date of whatever it is given.
	translates = regexp.MustCompile(`^(?:(?:\w+\.)*\$?(?:t|i18n|tr|translate|gettext|_|__|\$t|formatMessage))$`)
	counts     = regexp.MustCompile(`^(?:Number|parseInt|parseFloat|Math\.\w+|\w*[fF]ormat(?:Number|Currency|Percent|Bytes|Date|Time)\w*)$|\.(?:toFixed|toPrecision|toLocale(?:Date|Time)?String|toISOString|getTime|get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds))$`)
	// keeps is what a text stays its own in.
	keeps = regexp.MustCompile(`\.(?:trim|padStart|padEnd|toUpperCase|toLowerCase|repeat|toString)$`)
)

// maxOwn is how far the origin of a value is followed.
const maxOwn = 20

// ownText reports whether a value of a script or of Python can only be a text of
// the project's own: literals, variables and tables of them. In a page numbers,
// translations and what the page held before count as well.
func (f *source) ownText(v syntax.Node, page bool) bool {
	return (f.script() || f.is(syntax.Python)) && f.own(v, page, maxOwn)
}

func (f *source) own(v syntax.Node, page bool, depth int) bool {
	if depth == 0 || v.IsZero() {
		return false
	}
	all := func(kids []syntax.Node) bool {
		return !slices.ContainsFunc(kids, func(k syntax.Node) bool { return !f.own(k, page, depth-1) })
	}
	if constant(v) {
		return true
	}
	switch v.Kind() {
	case "template_string", "template_substitution", "parenthesized_expression", "jsx_expression", "array", "object",
		"as_expression", "satisfies_expression", "non_null_expression", "list", "tuple", "string", "interpolation", "concatenated_string":
		kids := v.Named()
		if v.Is("as_expression", "satisfies_expression") {
			kids = kids[:min(1, len(kids))]
		}
		return all(slices.DeleteFunc(kids, func(k syntax.Node) bool {
			return k.Is("string_fragment", "escape_sequence", "comment", "string_start", "string_content", "string_end", "format_specifier")
		}))
	case "pair":
		return f.own(v.Field("value"), page, depth-1)
	case "binary_expression", "binary_operator":
		return all([]syntax.Node{v.Field("left"), v.Field("right")})
	case "ternary_expression":
		return all([]syntax.Node{v.Field("consequence"), v.Field("alternative")})
	case "conditional_expression": // Python's: value if condition else value
		kids := v.Named()
		return len(kids) == 3 && all([]syntax.Node{kids[0], kids[2]})
	case "identifier":
		return page && (numberName.MatchString(v.Text()) || restoredName.MatchString(v.Text())) || f.onlyOwn(v, page, depth)
	case "member_expression":
		name := v.Field("property").Text()
		return page && (numberName.MatchString(name) || restoredName.MatchString(name) || f.keptHTML(name)) || f.own(v.Field("object"), page, depth-1)
	case "subscript_expression":
		return f.own(v.Field("object"), page, depth-1)
	case "call_expression":
		callee, args := calledWith(v)
		if keeps.MatchString(callee) {
			return f.own(v.Field("function").Field("object"), page, depth-1)
		}
		return page && (counts.MatchString(callee) || translates.MatchString(callee) && all(args))
	}
	return false
}

// onlyOwn reports whether a variable is only ever set to the project's own
// texts: its scope declares it once, as no parameter.
func (f *source) onlyOwn(v syntax.Node, page bool, depth int) bool {
	scope, ok := declaring(v)
	if !ok {
		return false
	}
	if f.owned == nil {
		f.owned = map[ownName]bool{}
	}
	name := ownName{v.Text(), scope.StartByte(), page}
	if known, ok := f.owned[name]; ok {
		return known // or being followed: what it adds to itself adds nothing
	}
	f.owned[name] = true
	declared := 0
	scope.Walk(func(n syntax.Node) bool {
		switch {
		case n.Is("for_statement") && n.Field("left").Text() == v.Text(), n.Is("assignment") && n.Field("left").Text() == v.Text():
			declared = 1 // Python declares by setting
			ok = ok && f.own(n.Field("right"), page, depth-1)
		case n.Is("variable_declarator") && declares(n, v.Text()):
			declared++
			value := n.Field("value")
			ok = ok && (value.IsZero() || f.own(value, page, depth-1))
		case n.Is("assignment_expression", "augmented_assignment_expression") && n.Field("left").Text() == v.Text():
			ok = ok && f.own(n.Field("right"), page, depth-1)
		case n.Is("formal_parameters", "parameters", "lambda_parameters", "augmented_assignment", "for_in_clause", "pattern_list", "import_from_statement", "with_item", "object_pattern", "array_pattern", "import_clause", "catch_clause", "for_in_statement") && strings.Contains(n.Text(), v.Text()),
			n.Is("arrow_function") && n.Field("parameter").Text() == v.Text():
			ok = false // it may come from elsewhere
		}
		return ok
	})
	f.owned[name] = ok && declared == 1
	return f.owned[name]
}

// ownName is a variable of a scope, and whether a page is what it goes into.
type ownName struct {
	name  string
	scope int
	page  bool
}

func declares(n syntax.Node, name string) bool {
	return n.Is("variable_declarator") && n.Field("name").Text() == name || n.Is("assignment", "for_statement") && n.Field("left").Text() == name
}

// declaring is the innermost block around a variable's use that declares it.
func declaring(v syntax.Node) (syntax.Node, bool) {
	for at := v.Parent(); !at.IsZero(); at = at.Parent() {
		if !at.Is("statement_block", "program", "switch_case", "block", "module") {
			continue
		}
		found := false
		at.Walk(func(n syntax.Node) bool {
			found = found || declares(n, v.Text())
			return !found
		})
		if found {
			return at, true
		}
	}
	return syntax.Node{}, false
}

// keptHTML reports whether the file sets a property of this name to nothing but
// what it read from innerHTML.
func (f *source) keptHTML(name string) bool {
	kept, ok := 0, true
	for n := range f.tree.Root().All("pair") {
		if n.Field("key").Text() == name {
			kept++
			ok = ok && strings.HasSuffix(n.Field("value").Text(), ".innerHTML")
		}
	}
	return ok && kept > 0
}
