package runner

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"workflow-reviewer/internal/syntax"
)

// parseScript reads a configuration that is a JavaScript or TypeScript module:
// the object that it exports becomes options below the prefix; every other
// statement becomes a value of the key statementsKey.
func parseScript(ctx context.Context, path string, src []byte, prefix ...string) (options, error) {
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
	s := module{consts: map[string]syntax.Node{}}
	s.lit = literal{out: &s.out, named: func(name string) syntax.Node { return s.consts[name] }}
	s.scan(tree.Root(), prefix)
	if s.out.full() {
		return nil, errors.New("it has too many settings")
	}
	return s.out.out, nil
}

// statementsKey is the key of statements beside the exported object.
const statementsKey = "a statement"

// module is a configuration module while it is read.
type module struct {
	consts map[string]syntax.Node // literals that are bound to a name once
	out    builder
	lit    literal
}

func (s *module) scan(root syntax.Node, prefix []string) {
	for _, n := range root.Named() {
		s.bind(n)
	}
	for _, n := range root.Named() {
		if export := exported(n); !export.IsZero() {
			s.export(export, prefix)
			continue
		}
		if s.isBinding(n) || imports(n) || bindsFolder.MatchString(canon(n)) {
			continue
		}
		s.out.add([]string{statementsKey}, n.StartLine(), codeOf(n))
	}
}

// bind remembers a constant that is a literal.
func (s *module) bind(n syntax.Node) {
	if n.Is("export_statement") {
		n = n.Child("lexical_declaration")
	}
	if !n.Is("lexical_declaration", "variable_declaration") {
		return
	}
	for d := range n.All("variable_declarator") {
		if v := unwrap(d.Field("value")); v.Is("object", "array", "string", "call_expression") && d.Field("name").Is("identifier") {
			s.consts[d.Field("name").Text()] = configOf(v)
		}
	}
}

// isBinding reports whether a statement only binds a literal, which counts
// where it is used.
func (s *module) isBinding(n syntax.Node) bool {
	if !n.Is("lexical_declaration", "variable_declaration") {
		return false
	}
	for _, d := range n.Named() {
		if !unwrap(d.Field("value")).Is("object", "array", "string") {
			return false
		}
	}
	return true
}

// bindsFolder is a constant that is the folder of the file.
var bindsFolder = regexp.MustCompile(`^(?:const|let|var) \w+ = (?:path \. )?(?:dirname|fileURLToPath|resolve|createRequire) \(`)

// imports reports whether a statement only binds what a package exports, which
// counts where it is used. Modules of the project, and those that are loaded
// for what they do, count themselves.
func imports(n syntax.Node) bool {
	from := n.Field("source")
	switch {
	case n.Is("import_statement"):
		if n.Child("import_clause").IsZero() {
			return false
		}
	case n.Is("lexical_declaration", "variable_declaration"):
		for _, d := range n.Named() {
			call := unwrap(d.Field("value"))
			if !call.Is("call_expression") || call.Field("function").Text() != "require" || len(call.Field("arguments").Named()) != 1 {
				return false
			}
			from = call.Field("arguments").Named()[0]
		}
	default:
		return false
	}
	return from.Is("string") && !strings.HasPrefix(stringText(from), ".")
}

// exported is the expression that a statement exports: export default x,
// module.exports = x, or the argument of config.set(x) in it.
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

func (s *module) export(n syntax.Node, prefix []string) {
	n = configOf(n)
	if n.Is("identifier") && !s.consts[n.Text()].IsZero() {
		n = s.consts[n.Text()]
	}
	if n.Is("object", "array") {
		s.lit.read(n, prefix, n.StartLine(), 0)
		return
	}
	if n.Is("arrow_function", "function_expression", "function_declaration") {
		if o := configured(n); !o.IsZero() {
			s.lit.read(o, prefix, o.StartLine(), 0)
			return
		}
	}
	s.out.add([]string{statementsKey}, n.StartLine(), codeOf(n))
}

// configOf is the object that a call such as defineConfig({…}) is given, or
// that a function in it returns; of mergeConfig(a, b), b.
func configOf(n syntax.Node) syntax.Node {
	n = unwrap(n)
	if n.Is("await_expression") {
		n = unwrap(n.Named()[0])
	}
	if !n.Is("call_expression") {
		return n
	}
	args := n.Field("arguments").Named()
	for i := len(args) - 1; i >= 0; i-- {
		arg := unwrap(args[i])
		if arg.Is("call_expression") {
			arg = configOf(arg)
		}
		if arg.Is("object") {
			return arg
		}
		if arg.Is("arrow_function", "function_expression") {
			if o := configured(arg); !o.IsZero() {
				return o
			}
		}
	}
	return n
}

// configured is the object literal that a function returns or gives to
// config.set; no node if it does anything else as well.
func configured(fn syntax.Node) syntax.Node {
	body := unwrap(fn.Field("body"))
	if body.Is("object") {
		return body
	}
	stmts := body.Named()
	if len(stmts) != 1 {
		return syntax.Node{}
	}
	switch s := stmts[0]; {
	case s.Is("return_statement") && len(s.Named()) == 1:
		if o := unwrap(s.Named()[0]); o.Is("object") {
			return o
		}
	case s.Is("expression_statement"):
		if o := configOf(s.Named()[0]); o.Is("object") {
			return o
		}
	}
	return syntax.Node{}
}
