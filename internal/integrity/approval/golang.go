package approval

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// goDecl is a declaration of a test file of Go. There may be hundreds of thousands: it keeps where
// its text is, and not the text.
type goDecl struct {
	file       string
	start, end int      // bytes of the file
	names      []string // of a method its type: an interface may call it
	uses       []string // each name once
	runs       bool     // before or around all tests, whoever names it
}

// goTests adds the test files of a folder that declare what its approved tests reach, and those
// that run something by themselves: all are compiled as one.
func (c *collector) goTests(dir string) {
	if c.packed[dir] {
		return
	}
	c.packed[dir] = true
	var others []goDecl
	used := map[string]bool{}
	reach := func(d goDecl) {
		for _, n := range d.uses {
			used[n] = true
		}
	}
	for _, f := range c.folders[dir] {
		switch decls := c.goDecls(f); {
		case c.roles[f] != Test:
			others = append(others, decls...)
		default:
			for _, d := range decls {
				reach(d)
			}
		}
	}
	for n := -1; n != len(others); {
		n = len(others)
		others = slices.DeleteFunc(others, func(d goDecl) bool {
			if !d.runs && !slices.ContainsFunc(d.names, func(n string) bool { return used[n] }) {
				return false
			}
			reach(d)
			text, _, _ := c.read(d.file) // as it was read for its declarations
			c.parts[d.file] += text[min(d.start, len(text)):min(d.end, len(text))] + "\n"
			c.support(d.file)
			return true
		})
	}
}

// goDecls are the declarations of a test file; one that cannot be read is held as a whole.
func (c *collector) goDecls(f string) []goDecl {
	if !strings.HasSuffix(f, "_test.go") {
		return nil
	}
	text, _, _ := c.read(f)
	parsed, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		return []goDecl{{file: f, runs: true, end: len(text)}}
	}
	var out []goDecl
	for _, decl := range parsed.Decls {
		d := goDecl{file: f, start: int(decl.Pos() - 1), end: int(decl.End() - 1)}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				d.uses = append(d.uses, n.Name)
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
		slices.Sort(d.uses)
		d.uses = slices.Clone(slices.Compact(d.uses)) // without the room of what occurs again
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
