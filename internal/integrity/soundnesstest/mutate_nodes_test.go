package soundnesstest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// operators edits expressions.
func (f *mutable) operators(n syntax.Node) {
	f.negate(n)
	f.unary(n)
	f.emptyLoop(n)
	switch {
	case n.Is(binaryKinds...) && !n.Is("augmented_assignment"):
		f.dropTerm(n)
	case n.Is(awaitKinds...):
		f.dropAwait(n)
	case n.Is("not in", "is not"):
		f.replace("comparison-negated", n, strings.TrimSpace(strings.Replace(n.Text(), "not", "", 1)))
	}
	if object := chained(n); !object.IsZero() {
		f.replace("link-dropped", n, object.Text())
	}
	f.result(n)
}

// truthTakers are calls whose first argument is a truth value.
var truthTakers = regexp.MustCompile(
	`^(assert|assertTrue|assertFalse|expect|ok|True|False|IsTrue|IsFalse|assertThat|refute|isTrue|require)$`)

func (f *mutable) negate(n syntax.Node) {
	if c := n.Field("condition"); c.IsNamed() {
		text := fmt.Sprintf(f.lang.not, c.Text())
		if strings.HasPrefix(c.Text(), "(") && c.Is("parenthesized_expression") {
			text = "(" + text + ")"
		}
		f.replace("condition-negated", c, text)
	}
	if n.Is("assert_statement") && len(n.Named()) > 0 {
		f.replace("not-added", n.Named()[0], fmt.Sprintf(f.lang.not, n.Named()[0].Text()))
	}
	if n.Is(callKinds...) && truthTakers.MatchString(callee(n)) {
		if parts := items(n.Child(append(slices.Clone(argKinds), "token_tree")...)); len(parts) > 0 {
			start, end := parts[0][0], parts[0][1]
			f.add("not-added", start, end, fmt.Sprintf(f.lang.not, f.Source[start:end]))
		}
	}
}

func (f *mutable) unary(n syntax.Node) {
	if n.Is("-") && n.Parent().Is("token_tree") && f.isUnary(n) {
		f.replace("minus-dropped", n, "")
	}
	if n.Is(unaryKinds...) && len(n.Named()) > 0 {
		op := "minus-dropped"
		if !strings.HasPrefix(n.Text(), "-") {
			op = "not-dropped"
		}
		operand := n.Named()[len(n.Named())-1]
		f.add(op, n.StartByte(), operand.StartByte(), "")
	}
}

func (f *mutable) emptyLoop(n syntax.Node) {
	switch {
	case n.Is("for_statement", "for_in_statement", "for_expression", "foreach_statement", "enhanced_for_statement", "range_clause", "for"):
		for _, field := range []string{"right", "value"} {
			if v := n.Field(field); v.IsNamed() {
				f.replace("loop-emptied", v, f.lang.emptyList)
				break
			}
		}
		if c := n.Field("condition"); c.IsNamed() {
			f.replace("loop-emptied", c, f.lang.no)
		}
	case n.Is("for_clause"):
		f.replace("loop-emptied", n.Field("condition"), f.lang.no)
	case n.Is("while_statement", "while", "while_expression"):
		c := n.Field("condition")
		text := f.lang.no
		if c.Is("parenthesized_expression") {
			text = "(" + text + ")"
		}
		f.replace("loop-emptied", c, text)
	case n.Is("call") && f.lang.name == syntax.Ruby && strings.HasPrefix(callee(n), "each"):
		f.replace("loop-emptied", n.Field("receiver"), "[]")
	case n.Is("call_expression") && slices.Contains([]string{"forEach", "each"}, callee(n)):
		f.replace("loop-emptied", n.Field("function").Field("object"), "[]")
	}
}

func (f *mutable) dropTerm(n syntax.Node) {
	if terms := n.Named(); len(terms) >= 2 {
		f.replace("term-dropped", n, terms[0].Text())
		f.replace("term-dropped", n, terms[len(terms)-1].Text())
	}
}

func (f *mutable) dropAwait(n syntax.Node) {
	for c := range n.Children() {
		if c.Is("await") && !c.IsNamed() {
			if f.lang.name == syntax.Rust {
				f.add("await-dropped", c.StartByte()-1, c.EndByte(), "")
			} else if next := c.NextSibling(); !next.IsZero() {
				f.add("await-dropped", c.StartByte(), next.StartByte(), "")
			}
		}
	}
}

// chained is what a link of a chain of calls hangs on: a call itself.
func chained(n syntax.Node) syntax.Node {
	if n.Is(memberOf...) && n.FieldName() == "function" {
		return syntax.Node{} // the call has it
	}
	link := n
	if n.Is(callKinds...) {
		if fn := n.Field("function"); !fn.IsZero() {
			link = fn
		}
	} else if !n.Is(memberOf...) {
		return syntax.Node{}
	}
	for _, field := range []string{"object", "operand", "expression", "receiver", "value"} {
		if o := link.Field(field); o.Is(callKinds...) || o.Is(memberOf...) && o.Has(callKinds...) {
			return o
		}
	}
	return syntax.Node{}
}

// result changes what a function gives back.
func (f *mutable) result(n syntax.Node) {
	switch {
	case n.Is("return_statement", "return_expression", "return"):
		if values := n.Named(); len(values) > 0 {
			f.replace("result-changed", values[0], f.lang.null)
		}
	case n.Is("arrow_function", "lambda_expression") && n.Field("body").IsNamed() && !n.Field("body").Is("statement_block", "block"):
		f.replace("result-changed", n.Field("body"), f.lang.null)
	case f.lang.name == syntax.Ruby && n.Is("body_statement", "block_body"):
		if s := n.Named(); len(s) > 0 {
			f.replace("result-changed", s[len(s)-1], f.lang.null)
		}
	case n.Is("default_parameter", "assignment_pattern", "optional_parameter", "required_parameter", "keyword_parameter"):
		if v := n.Field("value"); v.IsNamed() {
			f.replace("default-changed", v, f.lang.null)
		}
	}
}

// items are the ranges of a node's elements, without the commas between.
func items(n syntax.Node) [][2]int {
	var out [][2]int
	open := false
	for c := range n.Children() {
		switch {
		case c.IsComment():
		case c.Is(",", "(", ")", "[", "]", "{", "}", "%w(", "%i(") && !c.IsNamed():
			open = false
		case open:
			out[len(out)-1][1] = c.EndByte()
		default:
			out = append(out, [2]int{c.StartByte(), c.EndByte()})
			open = n.Is("token_tree")
		}
	}
	return out
}

// items drops, swaps and doubles arguments, and drops elements of lists.
func (f *mutable) items(n syntax.Node) {
	isArguments := n.Is(argKinds...) || n.Is("token_tree") && n.Parent().Is("macro_invocation", "token_tree")
	if !isArguments && !n.Is(listKinds...) {
		return
	}
	op := "element-dropped"
	if isArguments {
		op = "argument-dropped"
	}
	parts := items(n)
	text := func(i int) string { return string(f.Source[parts[i][0]:parts[i][1]]) }
	for i, p := range parts {
		switch {
		case i+1 < len(parts):
			f.add(op, p[0], parts[i+1][0], "")
		case i > 0:
			f.add(op, parts[i-1][1], p[1], "")
		default:
			f.add(op, p[0], p[1], "")
		}
		if !isArguments {
			continue
		}
		f.add("argument-doubled", p[1], p[1], ", "+text(i))
		if i+1 < len(parts) {
			between := string(f.Source[p[1]:parts[i+1][0]])
			f.add("argument-swapped", p[0], parts[i+1][1], text(i+1)+between+text(i))
		}
	}
}

// statements edits the statements of a block.
func (f *mutable) statements(n syntax.Node) {
	isBlock := n.Is(blockKinds...)
	if !isBlock && !n.Is(memberKinds...) || !n.Child("statement_list").IsZero() {
		return
	}
	all := n.Named()
	for i, s := range all {
		if isInert(f.lang.name, s) {
			continue
		}
		f.delete(s, len(all))
		if !isBlock {
			continue
		}
		if fails.MatchString(s.Text()) {
			f.replace("failure-removed", s, f.lang.nothing)
		}
		f.wrap("dead-branch", s, f.lang.never)
		f.wrap("statement-swallowed", s, f.lang.swallow)
		if !n.Is(rootKinds...) && !strings.HasPrefix(s.Text(), "return") {
			for _, word := range f.lang.leave {
				f.add("early-return", s.StartByte(), s.StartByte(), word+"\n"+f.indent(s))
			}
		}
		if i+1 < len(all) && !isImport(s) && !isImport(all[i+1]) {
			next := all[i+1]
			between := string(f.Source[s.EndByte():next.StartByte()])
			f.add("statements-swapped", s.StartByte(), next.EndByte(), next.Text()+between+s.Text())
		}
	}
}

var fails = regexp.MustCompile(`^(raise|throw|flunk|fail|panic!?|unreachable!|done\([a-zA-Z]|(t|tb|b|s|suite)\.(Fail|FailNow|Errorf?|` +
	`Fatalf?)|` +
	`pytest\.fail|self\.fail|Assert\.Fail|Assert\.True\(false|assert\.fail|expect\.fail|t\.fail|should\.fail)\b`)

func (f *mutable) delete(s syntax.Node, of int) {
	if of == 1 {
		f.replace("statement-deleted", s, f.lang.nothing)
	} else {
		f.replace("statement-deleted", s, "")
	}
}

// isImport reports whether a statement is one of those whose order is free.
func isImport(s syntax.Node) bool {
	return strings.Contains(s.Kind(), "import") || s.Is("using_directive", "use_declaration", "extern_crate_declaration")
}

// indent is the white space before a node in its line.
func (f *mutable) indent(n syntax.Node) string {
	start := n.StartByte()
	for start > 0 && (f.Source[start-1] == ' ' || f.Source[start-1] == '\t') {
		start--
	}
	return string(f.Source[start:n.StartByte()])
}

func (f *mutable) wrap(op string, s syntax.Node, form string) {
	if strings.Contains(s.Kind(), "import") || s.Is("package_clause", "using_directive", "use_declaration", "attribute_item") {
		return
	}
	inner := s.Text()
	if !f.lang.indents {
		f.replace(op, s, fmt.Sprintf(form, inner))
		return
	}
	indent := f.indent(s)
	lines := strings.Split(form, "\n")
	for i, line := range lines {
		if strings.Contains(line, "%s") {
			line = "    " + strings.ReplaceAll(inner, "\n", "\n    ")
		}
		if i > 0 {
			line = indent + line
		}
		lines[i] = line
	}
	f.replace(op, s, strings.Join(lines, "\n"))
}
