package code

import "workflow-reviewer/internal/lazyregexp"

// wrapping matches what makes a table of its argument, shown what takes all of one.
var wrapping, shown = lazyregexp.New(`(?i)\b(?:\w*map|\w*dict|hash\w*|freeze|list|set|array|vec|tuple|(?:list|map|set|array)?of` +
	`|from|\w*entries)$`), lazyregexp.New(`^(?:map|forEach|each|length|size|len|keys|values)$`)

// lookup finds out how a file uses a table; known are the names that it was met under.
type lookup struct {
	file      *File
	table     *Node
	elsewhere func(name string) bool
	known     map[string]bool
}

// LooksUp reports whether something may be recognised by a table of the file, a literal: it is indexed, asked,
// compared, gone through or handed on, as it is, under its name, or as what a function gives; elsewhere says so
// of other files. A list that is only shown, exported or given out is data; a dictionary that a module exports
// as a whole, or that the file does not use, is for others.
func (f *File) LooksUp(table *Node, elsewhere func(name string) bool) bool {
	return lookup{f, table, elsewhere, map[string]bool{}}.looks(table)
}

func (l lookup) looks(table *Node) bool {
	for n := table; n.Up != nil; n = n.Up {
		up, name := n.Up, ""
		switch first := n == up.Kid(0); {
		case up.Is(Member):
			return !ShowsAll(up.Text) || up.Up.Any(func(k *Node) bool {
				return k.Is(If, Ternary, Switch) || k.Is(Binary) && k.Text == "=="
			})
		case up.Is(Index, Binary, Loop), up.Is(Assign) && up.Text == "for", up.Is(If, Switch) && first,
			up.Is(Call) && up.Text != "new" && !first && !wrapping.MatchString(Dotted(up.Kid(0))):
			return true
		case up.Is(Assign) && !first && up.Kid(0).Text == "exports", n.Src.Parent().Is("export_statement"): // as a whole, under any name
			return l.table.Is(Dict)
		case up.Is(Assign) && !first:
			name = up.Kid(0).Text
		case up.Is(Func):
			name = up.Text
		}
		if name != "" {
			return l.named(name)
		}
	}
	return false
}

// named reports whether something is looked up in what has the name.
func (l lookup) named(name string) bool {
	if l.known[name] {
		return false
	}
	l.known[name] = true
	used := false
	return l.file.Root.Any(func(k *Node) bool {
		is := k.Is(Name, Member) && k.Text == name && !(k.Up.Is(Assign) && k.Up.Kid(0) == k)
		used = used || is
		return is && l.looks(k)
	}) || l.elsewhere(name) || !used && l.table.Is(Dict) && l.table.Outer(Func) == nil
}

// ShowsAll reports whether a method takes all of a table, and asks it for nothing.
func ShowsAll(method string) bool { return shown.MatchString(method) }
