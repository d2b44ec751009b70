package soundnesstest_test

import (
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// markers removes decorators and annotations, and adds what skips a test.
func (f *mutable) markers(n syntax.Node) {
	if n.Is(markerKinds...) {
		f.replace("marker-removed", n, "")
	}
	const op = "skip-added"
	switch f.lang.name {
	case syntax.Python:
		if n.Is("function_definition") && strings.HasPrefix(n.Field("name").Text(), "test") {
			f.add(op, n.StartByte(), n.StartByte(), "@pytest.mark.skip\n"+f.indent(n))
		}
	case syntax.JavaScript, syntax.TypeScript, syntax.TSX:
		if fn := n.Field("function"); n.Is("call_expression") && fn.Is("identifier") && titled.MatchString(fn.Text()) {
			f.replace(op, fn, fn.Text()+".skip")
			f.replace(op, fn, "x"+fn.Text())
		}
	case syntax.Go:
		if (n.Is("function_declaration") || n.Is("func_literal")) && strings.Contains(n.Field("parameters").Text(), "t *testing.T") {
			f.add(op, n.Field("body").StartByte()+1, n.Field("body").StartByte()+1, "\n\tt.Skip()")
		}
	case syntax.Java:
		if n.Is("marker_annotation", "annotation") && testMarker.MatchString(n.Text()) {
			f.add(op, n.StartByte(), n.StartByte(), "@Disabled ")
		}
	case syntax.CSharp:
		if n.Is("attribute") && testMarker.MatchString(n.Text()) {
			list := n.Parent()
			f.add(op, list.StartByte(), list.StartByte(), "[Ignore(\"later\")] ")
			if n.Field("name").EndByte() == n.EndByte() {
				f.add(op, n.EndByte(), n.EndByte(), "(Skip = \"later\")")
			}
		}
	case syntax.Rust:
		if n.Is("attribute_item") && testMarker.MatchString(n.Text()) {
			f.add(op, n.EndByte(), n.EndByte(), "\n#[ignore]")
		}
	case syntax.Ruby:
		f.skipRuby(op, n)
	}
}

var testMarker = regexp.MustCompile(`^(@|#\[)?(tokio::)?([Tt]est|Fact|Theory|ParameterizedTest)\b`)

func (f *mutable) skipRuby(op string, n syntax.Node) {
	if n.Is("method") && strings.HasPrefix(n.Field("name").Text(), "test") && !n.Field("body").IsZero() {
		at := n.Field("body").StartByte()
		f.add(op, at, at, "skip\n"+f.indent(n.Field("body")))
	}
	if method := n.Field("method"); n.Is("call") && titled.MatchString(method.Text()) && n.Child("do_block").IsNamed() {
		f.replace(op, method, "x"+method.Text())
		at := n.Child("do_block").StartByte() + len("do")
		f.add(op, at, at, " skip;")
	}
}
