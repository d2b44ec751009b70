package approval

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"
)

// goDecl is a declaration of a test file of Go.
type goDecl struct {
	file  string
	names []string // of a method its type: an interface may call it
	uses  map[string]bool
	runs  bool // before or around all tests, whoever names it
	text  string
}

// goTests adds the test files beside one that declare what it reaches, and those that run something by themselves: all
// are compiled as one.
func (c *collector) goTests(p string) {
	var all []goDecl
	for _, f := range c.folders[path.Dir(p)] {
		if strings.HasSuffix(f, "_test.go") {
			all = append(all, c.goDecls(f)...)
		}
	}
	used := map[string]bool{}
	for again := true; again; {
		again = false
		all = slices.DeleteFunc(all, func(d goDecl) bool {
			named := slices.ContainsFunc(d.names, func(n string) bool { return used[n] })
			if d.file != p && !d.runs && !named {
				return false
			}
			for n := range d.uses {
				used[n] = true
			}
			c.parts[d.file] += d.text + "\n"
			c.support(d.file)
			again = true
			return true
		})
	}
}

// goDecls are the declarations of a file; one that cannot be read is held as a whole.
func (c *collector) goDecls(f string) []goDecl {
	text, _, _ := c.read(f)
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return []goDecl{{file: f, runs: true, text: text}}
	}
	var out []goDecl
	for _, decl := range parsed.Decls {
		d := goDecl{file: f, uses: map[string]bool{}, text: text[decl.Pos()-1 : decl.End()-1]}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				d.uses[n.Name] = true
			case *ast.ValueSpec:
				for _, name := range n.Names {
					d.names = append(d.names, name.Name)
				}
			case *ast.TypeSpec:
				d.names = append(d.names, n.Name.Name)
			case *ast.ImportSpec:
				d.runs = d.runs || n.Name != nil && n.Name.Name == "_"
			}
			return true
		})
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			d.names = []string{decl.Name.Name}
			d.runs = decl.Recv == nil && (decl.Name.Name == "init" || decl.Name.Name == "TestMain")
			if decl.Recv != nil {
				d.names = []string{receiverOf(decl.Recv)}
			}
		case *ast.GenDecl:
			d.runs = d.runs || decl.Tok == token.VAR && callsSomething(decl)
		}
		out = append(out, d)
	}
	return out
}

// receiverOf is the type that a method belongs to.
func receiverOf(list *ast.FieldList) (name string) {
	ast.Inspect(list.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name == "" {
			name = id.Name
		}
		return name == ""
	})
	return name
}

// callsSomething reports whether a variable's value is made by a call as the program starts.
func callsSomething(decl *ast.GenDecl) (calls bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		_, call := n.(*ast.CallExpr)
		calls = calls || call
		return !calls
	})
	return calls
}
