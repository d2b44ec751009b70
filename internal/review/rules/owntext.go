package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

var (
	// numberName is how what holds a number is called, and restoredName what was
	// read from the page before.
	numberName = lazyregexp.New(`(?i)(?:id|ids|count|index|number|num|total|length|stock|quantity|score|duration|seconds|minutes` +
		`|hours|days|width|height|size|percent|price|amount|year)$`)
	restoredName = lazyregexp.New(`^(?:_?(?:original|orig|prev|previous|saved|initial|backup)[A-Z_]\w*|innerHTML)$`)
	// translated is a text of the project's table of translations, and translates is what looks a
	// text of the project up by its key, and counts
	// what makes a number or a date of whatever it is given.
	translated = lazyregexp.New(`^(?:(?:window|this)\.)?(?:__?t|i18n|translations?|messages)(?:\[["'][^"']+["']\]|\.\w+)$`)
	translates = lazyregexp.New(`^(?:(?:\w+\.)*\$?(?:t|i18n|tr|translate|gettext|_|__|\$t|formatMessage))$`)
	// number is what makes a number for SQL: no text comes through it.
	number = lazyregexp.New(`^(?:Number|parseInt|parseFloat|Math\.\w+|int|float|len|max|min|round|abs|Date\.now)$|\.(?:toISOString` +
		`|getTime)$`)
	counts = lazyregexp.New(`^(?:Number|parseInt|parseFloat|Math\.\w+|\w*[fF]ormat(?:Number|Currency|Percent|Bytes|Date|Time)\w*)$` +
		`|\.(?:toFixed|toPrecision|toLocale(?:Date|Time)?String|toISOString|getTime|get(?:UTC)?(?:FullYear|Month|Date|Day|Hours|Minutes` +
		`|Seconds))$`)
	// keeps is what a text stays its own in.
	keeps = lazyregexp.New(`\.(?:trim|padStart|padEnd|toUpperCase|toLowerCase|repeat|toString|join)$`)
)

// environment matches what the operator of the program sets.
var environment = lazyregexp.New(`^(?:process\.env\.\w+|os\.environ\[["']\w+["']\]|os\.(?:environ\.get|getenv)\(["']\w+["']\))$`)

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
	if constant(v) || page && translated.MatchString(v.Text()) || environment.MatchString(v.Text()) {
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
		return f.own(v.Field("left"), page, depth) && f.own(v.Field("right"), page, depth-1) // a sum is as deep as it is long
	case "ternary_expression":
		return all([]syntax.Node{v.Field("consequence"), v.Field("alternative")})
	case "conditional_expression": // Python's: value if condition else value
		kids := v.Named()
		return len(kids) == 3 && all([]syntax.Node{kids[0], kids[2]})
	case "update_expression": // i++
		return true
	case "generator_expression", "list_comprehension":
		return f.own(v.Field("body"), page, depth-1)
	case "identifier":
		return page && (numberName.MatchString(v.Text()) || restoredName.MatchString(v.Text())) ||
			page && f.highlighted(v.Text()) || f.onlyOwn(v, page, depth) || isIndex(v) || isListed(v) || isNumber(v)
	case "member_expression":
		name := v.Field("property").Text()
		return name == "length" && v.Field("object").Is("identifier") || page && (numberName.MatchString(name) ||
			restoredName.MatchString(name) || f.keptHTML(name)) || f.own(v.Field("object"), page, depth-1)
	case "subscript_expression":
		return f.own(v.Field("object"), page, depth-1)
	case "call_expression", "call":
		return f.ownCall(v, page, depth)
	case "arrow_function":
		body := v.Field("body")
		return !body.Is("statement_block") && f.own(body, page, depth-1)
	}
	return false
}

// ownCall reports whether what a call gives is a text of the project's own, a
// number, or, for a page, what a sanitiser made.
func (f *source) ownCall(v syntax.Node, page bool, depth int) bool {
	callee, args := calledWith(v)
	all := func() bool {
		return !slices.ContainsFunc(args, func(a syntax.Node) bool { return !f.own(a, page, depth-1) })
	}
	switch object := v.Field("function").Field("object"); {
	case len(args) == 0 && ofDialect.MatchString(callee):
		return true
	case number.MatchString(callee):
		return !maxMin.MatchString(callee) || all()
	case keeps.MatchString(callee):
		return f.own(object, page, depth-1)
	case strings.HasSuffix(callee, ".map") && f.script(): // of each the same text, with numbers at most
		return len(args) == 1 && f.own(args[0], page, depth-1)
	case strings.HasSuffix(callee, ".join") && f.is(syntax.Python):
		return f.own(object, page, depth-1) && all()
	}
	return page && (counts.MatchString(callee) || translates.MatchString(callee) && all() || made.MatchString(callee) ||
		f.sanitises(callee))
}

// ofDialect matches a call of a dialect of SQL for a part of a statement.
var ofDialect = lazyregexp.New(`(?i)(?:^|\.)\w*dialect\.\w+$`)

// maxMin matches what gives back one of its arguments.
var maxMin = lazyregexp.New(`^(?:max|min|round|abs)$`)

// sanitises reports whether the file, or else another script of the project, has
// the function that is called, and a sanitiser is called in it.
func (f *source) sanitises(callee string) bool {
	name := callee[strings.LastIndexByte(callee, '.')+1:]
	if name != callee && name != strings.TrimPrefix(callee, "this.") {
		return false
	}
	for _, fn := range syntax.Functions(f.tree) {
		if fn.Name == name {
			return made.MatchString(strings.Join(f.lines[fn.StartLine-1:fn.EndLine], "\n"))
		}
	}
	return name == callee && made.MatchString(f.elsewhere(name))
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
		case n.Is("assignment_expression", "augmented_assignment_expression", "assignment") && setsPartOf(n.Field("left"), v.Text()):
			ok = ok && f.own(n.Field("right"), page, depth-1)
		case syntax.IsCall(n):
			ok = ok && f.keepsOwn(n, v, page, depth)
		case n.Is("formal_parameters", "parameters", "lambda_parameters", "augmented_assignment", "for_in_clause", "pattern_list",
			"import_from_statement", "with_item", "object_pattern", "array_pattern", "import_clause", "catch_clause",
			"for_in_statement") && strings.Contains(n.Text(), v.Text()),
			n.Is("arrow_function") && n.Field("parameter").Text() == v.Text():
			ok = false // it may come from elsewhere
		}
		return ok
	})
	f.owned[name] = ok && declared == 1
	return f.owned[name]
}

// setsPartOf reports whether what is assigned to is the variable, or lies in it.
func setsPartOf(left syntax.Node, name string) bool {
	for left.Is("member_expression", "subscript_expression", "attribute", "subscript") {
		left = left.FirstChild()
	}
	return left.Text() == name
}

// adds is how a call adds to a list.
var adds = lazyregexp.New(`\.(?:push|unshift|append|extend|insert|add|splice|set|update)$`)

// keepsOwn reports whether a variable holds texts of the project's own after a
// call as before: the call adds nothing else to it, and does not get it, if it is
// a list or an object that a function could add to.
func (f *source) keepsOwn(call, v syntax.Node, page bool, depth int) bool {
	callee, args := calledWith(call)
	if name, of := strings.CutPrefix(callee, v.Text()+"."); of {
		return !adds.MatchString("."+name) || !slices.ContainsFunc(args, func(a syntax.Node) bool { return !f.own(a, page, depth-1) })
	}
	return strings.HasSuffix(callee, ".join") || !slices.ContainsFunc(args, func(a syntax.Node) bool {
		return a.Is("identifier") &&
			a.Text() == v.Text() && isList(a)
	})
}

// isList reports whether a variable's scope sets it to a list or an object.
func isList(v syntax.Node) bool {
	scope, _ := declaring(v)
	found := false
	scope.Walk(func(n syntax.Node) bool {
		value := n.Field("value")
		if n.Is("assignment") {
			value = n.Field("right")
		}
		found = found || declares(n, v.Text()) && isMutable(value)
		return !found
	})
	return found
}

// highlighter matches the import of a library that colours code, and escapes it.
var highlighter = lazyregexp.New(`(?im)^\s*import\b.*(?:shiki|highlight\.js|hljs|prism|highlighter)`)

// highlighted reports whether a value has the name of what such a library made.
func (f *source) highlighted(name string) bool {
	return strings.HasPrefix(strings.ToLower(name), "highlighted") && highlighter.MatchString(strings.Join(f.lines, "\n"))
}

// isNumber reports whether a variable is a parameter that TypeScript knows to be
// a number.
func isNumber(v syntax.Node) bool {
	for at := v.Parent(); !at.IsZero(); at = at.Parent() {
		for _, p := range at.Field("parameters").Named() {
			if p.Is("required_parameter", "optional_parameter") && p.Field("pattern").Text() == v.Text() {
				return p.Field("type").Text() == ": number"
			}
		}
	}
	return false
}

// isMutable reports whether what a value is could be added to by a function that gets it.
func isMutable(value syntax.Node) bool {
	callee, _ := calledWith(value)
	return value.Is("array", "object", "list", "dictionary", "set", "new_expression") || callee != "" && !number.MatchString(callee)
}

// isIndex reports whether a variable is the index that an array's own method
// counts up: the second parameter of what it calls.
func isIndex(v syntax.Node) bool {
	for at := v.Parent(); !at.IsZero(); at = at.Parent() {
		parameters := at.Field("parameters").Named()
		if at.Is("arrow_function") && len(parameters) == 2 && strings.TrimSuffix(parameters[1].Text(), ": number") == v.Text() {
			callee, _ := calledWith(at.Parent().Parent())
			return strings.HasSuffix(callee, ".map") || strings.HasSuffix(callee, ".forEach")
		}
	}
	return false
}

// isListed reports whether a variable is used only where it was compared with
// literals, or looked up in a list of them or in a constant.
func isListed(v syntax.Node) bool {
	const literal = `(?:"[^"]*"|'[^']*')`
	name := lazyregexp.Quote(v.Text())
	list := `(?:[\[({](?:` + literal + `,?)+[\])}]|[A-Z][A-Z0-9_]*)`
	equal := name + `===?` + literal
	found := list + `\.(?:includes|has)\(` + name + `\)|` + name + `in` + list
	listed := lazyregexp.New(`^(?:` + name + `&&)?\(?(?:` + equal + `(?:(?:\|\||or)` + equal + `)*|` + found + `)\)?$`)
	missing := lazyregexp.New(`^(?:!` + name + `\|\|)?!(?:` + found + `)$|^` + name + `notin` + list + `$`)
	for at := v; !at.Parent().IsZero(); at = at.Parent() {
		up := at.Parent()
		if up.Is("if_statement") && up.Field("consequence").StartByte() == at.StartByte() && listed.MatchString(condition(up)) {
			return true
		}
		if !up.Is("statement_block", "block", "program", "module") {
			continue
		}
		for _, before := range up.Named() {
			if before.StartByte() < at.StartByte() && before.Is("if_statement") && missing.MatchString(condition(before)) &&
				leavesAtEnd(before.Field("consequence")) {
				return true
			}
		}
	}
	return false
}

// condition is that of an if, without blanks and the parentheses around it.
func condition(n syntax.Node) string {
	c := n.Field("condition")
	if kids := c.Named(); c.Is("parenthesized_expression") && len(kids) == 1 {
		c = kids[0]
	}
	return blanks.ReplaceAllString(c.Text(), "")
}

// leavesAtEnd reports whether a statement or block ends by leaving what it stands in.
func leavesAtEnd(n syntax.Node) bool {
	if kids := n.Named(); n.Is("statement_block", "block") && len(kids) > 0 {
		n = kids[len(kids)-1]
	}
	return n.Is("return_statement", "throw_statement", "raise_statement", "continue_statement")
}

// ownName is a variable of a scope, and whether a page is what it goes into.
type ownName struct {
	name  string
	scope int
	page  bool
}

func declares(n syntax.Node, name string) bool {
	return n.Is("variable_declarator") && n.Field("name").Text() == name || n.Is("assignment", "for_statement") &&
		n.Field("left").Text() == name
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
