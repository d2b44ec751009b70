package soundnesstest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// leaf edits literals, names and operators.
func (f *mutable) leaf(n syntax.Node) {
	switch {
	case n.Is(numberKinds...) && n.IsNamed():
		f.number(n)
	case n.Is(textKinds...):
		f.text(n)
	case n.Is("string", "interpreted_string_literal", "string_literal") && len(n.Named()) == 0 && len(n.Text()) == 2:
		f.add("string-changed", n.StartByte()+1, n.StartByte()+1, "x")
	case n.Is("verbatim_string_literal"):
		f.add("string-changed", n.EndByte()-1, n.EndByte()-1, "x")
	case n.Is(charKinds...) && len(n.Text()) == 3:
		f.replace("string-changed", n, "'"+string(n.Text()[1]^1)+"'")
	case n.FirstChild().IsZero():
		f.word(n)
		f.operator(n)
	}
}

var decimal = regexp.MustCompile(`^([0-9][0-9_]*)(\.[0-9_]+)?([eE][-+]?[0-9]+)?(_?[a-zA-Z][a-zA-Z0-9]*)?$`)

func (f *mutable) number(n syntax.Node) {
	op := f.place(n, "number-changed")
	parts := decimal.FindStringSubmatch(n.Text())
	if parts == nil || strings.HasPrefix(n.Text(), "0") && len(parts[1]) > 1 {
		f.replace(op, n, "0")
		f.replace(op, n, "7")
		return
	}
	whole, fraction, rest := parts[1], parts[2], parts[3]+parts[4]
	if v, err := strconv.ParseInt(strings.ReplaceAll(whole, "_", ""), 10, 62); err == nil {
		f.replace(op, n, strconv.FormatInt(v+1, 10)+fraction+rest)
		f.replace(op, n, "0"+rest)
		if v > 0 {
			f.replace(op, n, strconv.FormatInt(v-1, 10)+fraction+rest)
			f.replace(op, n, strconv.FormatInt(v, 10)+"0"+fraction+rest)
		}
	}
	if !n.Parent().Is(unaryKinds...) && strings.Trim(n.Text(), "0._") != "" {
		f.replace("minus-added", n, "-"+n.Text())
	}
}

func (f *mutable) text(n syntax.Node) {
	if f.isTitle(n) {
		return
	}
	if f.isPattern(n) {
		f.replace("pattern-loosened", n, ".*")
	}
	if n.Is("regex_pattern") {
		return
	}
	op := f.place(n, "string-changed")
	text := n.Text()
	f.add(op, n.EndByte(), n.EndByte(), "x")
	if n.Is("simple_symbol", "hash_key_symbol", "heredoc_content") || strings.Contains(text, `\`) {
		return
	}
	f.replace(op, n, "")
	if len(text) > 1 {
		f.replace(op, n, text[:len(text)-1])
	}
	if other := strings.ToUpper(text); other != text {
		f.replace(op, n, other)
	} else {
		f.replace(op, n, strings.ToLower(text))
	}
}

// place tells where a literal stands, if that makes an operator of its own.
func (f *mutable) place(n syntax.Node, otherwise string) string {
	for c, p := n, n.Parent(); !p.IsZero(); c, p = p, p.Parent() {
		switch {
		case p.Is(indexKinds...) && c.FieldName() != "object" && c.FieldName() != "value" && c.FieldName() != "operand":
			return "index-changed"
		case p.Is("token_tree") && strings.HasPrefix(p.Text(), "[") && c == n && len(p.Named()) == 1:
			return "index-changed"
		case p.Is("default_parameter", "typed_default_parameter", "optional_parameter", "required_parameter", "assignment_pattern",
			"keyword_parameter", "parameter"):
			return "default-changed"
		case p.Is(functionKinds...) || p.Is(callKinds...):
			return otherwise
		case p.Is("const_item", "static_item", "const_spec", "field_declaration", "variable_declarator", "assignment") && f.isConstant(p):
			return "constant-changed"
		}
	}
	return otherwise
}

// isConstant reports whether a declaration stands at a file's top or in a class.
func (f *mutable) isConstant(n syntax.Node) bool {
	for p := n.Parent(); !p.IsZero(); p = p.Parent() {
		if p.Is(functionKinds...) {
			return false
		}
	}
	return true
}

var titled = regexp.MustCompile(`^(it|test|describe|context|specify|suite|should|feature|scenario|group|bench|Run)\b`)

// isTitle reports whether a string names a test: another title is allowed.
func (f *mutable) isTitle(n syntax.Node) bool {
	p := n.Parent()
	if !p.Is("string", "interpreted_string_literal", "template_string", "raw_string_literal") {
		return false
	}
	args := p.Parent()
	call := args.Parent()
	if !args.Is(argKinds...) || !call.Is(callKinds...) || args.Named()[0] != p {
		return false
	}
	return titled.MatchString(callee(call)) || titled.MatchString(call.Field("function").Text())
}

var patterned = regexp.MustCompile(`(?i)match|regex|compile|pattern|search`)

// isPattern reports whether a string is used as a regular expression.
func (f *mutable) isPattern(n syntax.Node) bool {
	if n.Is("regex_pattern") || n.Parent().Is("regex") {
		return true
	}
	literal := n.Parent()
	if literal.Parent().Is("keyword_argument") {
		return literal.Parent().Field("name").Text() == "match"
	}
	args := literal.Parent()
	return args.Is(argKinds...) && patterned.MatchString(callee(args.Parent()))
}

// callee is the last name of what a call calls.
func callee(call syntax.Node) string {
	for _, field := range []string{"name", "method", "macro", "function"} {
		if n := call.Field(field); !n.IsZero() {
			text := n.Text()
			return text[strings.LastIndexAny(text, ".:")+1:]
		}
	}
	return ""
}

// word edits truth values, null values and names of assertions.
func (f *mutable) word(n syntax.Node) {
	text := n.Text()
	isName := strings.Contains(n.Kind(), "identifier")
	switch {
	case !isName && (text == "true" || text == "false" || text == "True" || text == "False"):
		f.replace("truth-flipped", n, map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[text])
	case text == "null", text == "None", text == "undefined", text == "nil":
		if !n.Parent().Is("nil") { // Ruby's nil holds a token nil
			f.replace("null-swapped", n, "0")
			f.replace("null-swapped", n, f.lang.no)
		}
	case isName:
		for _, other := range f.lang.swaps[text] {
			f.replace("assertion-swapped", n, other)
		}
	}
}

var operatorSwaps = map[string]string{
	"==": "!=", "!=": "==", "===": "!==", "!==": "===", "<": "<= >", ">": ">= <", "<=": "< >=", ">=": "> <=",
	"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "%": "*", "&&": "||", "||": "&&", "and": "or", "or": "and",
	"in": "not_in", "not in": "in", "is": "is_not", "is not": "is", "+=": "-=", "-=": "+=",
	"=~": "!~", "!~": "=~", "<<": ">>", "&": "|", "|": "&", "??": "||",
}

func (f *mutable) operator(n syntax.Node) {
	p := n.Parent()
	if !p.Is(binaryKinds...) && !(p.Is("token_tree") && slices.Contains(strings.Fields("== != < > <= >= + - && ||"), n.Text()) &&
		!f.isUnary(n)) {
		return
	}
	op := "operator-swapped"
	switch n.Text() {
	case "==", "!=", "===", "!==", "in", "is":
		op = "comparison-negated"
	}
	for _, other := range strings.Fields(operatorSwaps[n.Text()]) {
		f.replace(op, n, strings.ReplaceAll(other, "_", " "))
	}
}

// isUnary reports whether a token of a Rust macro applies to the one after it.
func (f *mutable) isUnary(n syntax.Node) bool {
	before := n
	for c := range n.Parent().Children() {
		if c == n {
			break
		}
		before = c
	}
	return before == n || !before.IsNamed()
}

// lines deletes lines and turns them into comments.
func (f *mutable) lines() {
	start := 0
	for line := range strings.Lines(string(f.Source)) {
		end := start + len(line)
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			f.add("line-deleted", start, end, "")
			indent := start + strings.Index(line, trimmed)
			f.add("line-commented", indent, indent, fmt.Sprint(f.lang.comment, " "))
		}
		start = end
	}
}
