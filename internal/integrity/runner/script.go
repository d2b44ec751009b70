package runner

import (
	"context"
	"errors"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// statementsKey is the key of statements beside the exported object.
const statementsKey = "a statement"

// bindsFolder is a constant that is the folder of the file.
var bindsFolder = lazyregexp.New(`^(?:const|let|var) \w+ = (?:path \. )?(?:dirname|fileURLToPath|resolve|createRequire) \(`)

// parseScript reads a configuration that is a JavaScript or TypeScript module: the object that it exports
// becomes options; every other statement becomes a value of the key statementsKey, but for imports of packages.
func parseScript(ctx context.Context, path string, src []byte) (options, error) {
	lang, ok := syntax.LanguageOf(path)
	if !ok {
		lang = syntax.JavaScript
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil {
		return nil, err
	}
	if tree.HasError() {
		return nil, errors.New("it has syntax errors")
	}
	var b builder
	statements := tree.Root().Named()
	from := syntax.Node{} // the declaration of what is exported by its name
	for _, n := range statements {
		e := configOf(exported(n))
		if e.Is("identifier") {
			if d := declared(statements, e.Text()); !d.IsZero() {
				from, e = d.Parent(), configOf(d.Field("value"))
			}
		}
		if e.Is("object", "array") {
			readLiteral(&b, e, nil, e.StartLine(), 0)
		} else if !e.IsZero() {
			b.add([]string{statementsKey}, n.StartLine(), codeOf(n))
		}
	}
	for _, n := range statements {
		if exported(n).IsZero() && !n.IsComment() && n != from && !imports(n) && !bindsFolder.MatchString(canon(n)) {
			b.add([]string{statementsKey}, n.StartLine(), codeOf(n))
		}
	}
	if b.full() {
		return nil, errors.New("it has too many settings")
	}
	return b.out, nil
}

// declared is the declaration of one name alone among statements.
func declared(statements []syntax.Node, name string) syntax.Node {
	for _, n := range statements {
		if d := n.Child("variable_declarator"); n.Is("lexical_declaration", "variable_declaration") && len(n.Named()) == 1 &&
			d.Field("name").Text() == name {
			return d
		}
	}
	return syntax.Node{}
}

// imports reports whether a statement only binds what a package exports, which counts where it is used. Modules
// of the project, and those that are loaded for what they do, count themselves.
func imports(n syntax.Node) bool {
	from := n.Field("source")
	if n.Is("lexical_declaration", "variable_declaration") {
		for _, d := range n.Named() {
			call := unwrap(d.Field("value"))
			if !call.Is("call_expression") || call.Field("function").Text() != "require" || len(call.Field("arguments").Named()) != 1 {
				return false
			}
			from = call.Field("arguments").Named()[0]
		}
	} else if !n.Is("import_statement") || n.Child("import_clause").IsZero() {
		return false
	}
	return from.Is("string") && !strings.HasPrefix(stringText(from), ".")
}

// exported is the expression that a statement exports: export default x, export = x, module.exports = x.
func exported(n syntax.Node) syntax.Node {
	switch {
	case n.Is("export_statement") && n.Child("default").Kind() == "default":
		return n.Field("value")
	case n.Is("export_statement") && !n.Child("=").IsZero(), n.Is("export_assignment"):
		return n.Named()[0]
	case n.Is("expression_statement"):
		if a := n.Child("assignment_expression"); a.Field("left").Text() == "module.exports" || a.Field("left").Text() == "exports" {
			return a.Field("right")
		}
	}
	return syntax.Node{}
}

// configOf is the object that an expression comes to: what a call such as defineConfig({…}) is given last, or
// what a function that does nothing else returns or gives to config.set.
func configOf(n syntax.Node) syntax.Node {
	n = unwrap(n)
	if n.Is("await_expression") {
		n = unwrap(n.Named()[0])
	}
	switch {
	case n.Is("call_expression"):
		args := n.Field("arguments").Named()
		for i := len(args) - 1; i >= 0; i-- {
			if o := configOf(args[i]); o.Is("object") {
				return o
			}
		}
	case n.Is("arrow_function", "function_expression", "function_declaration"):
		body := unwrap(n.Field("body"))
		if stmts := body.Named(); body.Is("statement_block") && len(stmts) == 1 &&
			stmts[0].Is("return_statement", "expression_statement") && len(stmts[0].Named()) == 1 {
			body = configOf(stmts[0].Named()[0])
		}
		if body.Is("object") {
			return body
		}
	}
	return n
}
