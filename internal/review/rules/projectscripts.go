package rules

import (
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// Caps on what is searched in other files than the one that is judged.
const (
	maxScripts  = 400
	maxFunction = 60 // lines
)

// scriptsText is the text of the project's scripts and pages but for its tests, in which what
// a file takes from others is looked up by its name.
type scriptsText struct {
	read      func() []string // made when first asked for
	texts     []string
	functions map[string]string
	types     map[string]string // what stands in the braces of a type, or its alternatives
	calls     map[string][][]string
}

func (p *scriptsText) all() []string {
	if p.texts == nil {
		p.texts = append([]string{""}, p.read()...)
	}
	return p.texts
}

// readScripts are the first scripts and pages of the head.
func (s *subject) readScripts() (out []string) {
	entries, err := s.Set.HeadTree.List("")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		language, _ := syntax.LanguageOf(e.Path)
		if page := strings.HasSuffix(e.Path, ".html"); !page && !slices.Contains(scripts(), language) || s.isTest(e.Path) {
			continue
		}
		if text, trouble := s.read(e.Path); trouble == "" && len(text) <= maxDocument {
			if out = append(out, string(text)); len(out) == maxScripts {
				break
			}
		}
	}
	return out
}

// function is the beginning of a function, "" if none of that name is found.
func (p *scriptsText) function(name string) string {
	if text, known := p.functions[name]; known {
		return text
	}
	if p.functions == nil {
		p.functions = map[string]string{}
	}
	begin := lazyregexp.New(`(?m)^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\s+|const\s+)` + lazyregexp.Quote(name) +
		`\s*[=(]`)
	p.functions[name] = ""
	for _, text := range p.all() {
		if at := begin.FindStringIndex(text); at != nil {
			lines := split(text[at[0]:])
			p.functions[name] = strings.Join(lines[:min(len(lines), maxFunction)], "\n")
			break
		}
	}
	return p.functions[name]
}

var (
	// constant matches an argument that is the same in each run.
	constant = lazyregexp.New("^(?:'[^']*'|\"[^\"]*\"|`[^`$]*`|-?[\\d.]+|true|false|null|undefined|[A-Z][A-Z0-9_]+(?:\\.\\w+)*)$")
	// begins matches what stands before a name where it is defined, offers where it is told to a page.
	begins = lazyregexp.New(`(?:\bfunction\s*\*?|\b(?:get|set|async|private|public|protected|static))\s*$`)
	offers = lazyregexp.New(`(?:window|globalThis|self|exports)\.\w+\s*=\s*$`)
)

// fixed reports whether the project calls a function, and gives nothing but constants for the
// parameter at an index wherever it does. One that is handed on, or gets another
// name, may be called with anything.
func (p *scriptsText) fixed(name string, at int) bool {
	lists, known := p.calls[name]
	if !known {
		quoted := lazyregexp.Quote(name)
		call := lazyregexp.New(`(?:^|[^\w$])` + quoted + `\(`)
		handed := lazyregexp.New(`(?:\([^\n(){}]*[^\w$\n(){}]|\(|[:=]\s*\{?\s*(?:this\.)?)` + quoted + `\s*[,;})\n]` +
			`|\bdefault\s+(?:async\s+)?(?:function\s+)?` + quoted + `\b|\b` + quoted + `(?:\s+as\b|\s*:)`)
		for _, text := range p.all() {
			if !strings.Contains(text, name) {
				continue
			}
			for _, m := range handed.FindAllStringIndex(text, -1) {
				if !offers.MatchString(text[max(0, m[0]-40) : m[0]+2]) {
					lists = append(lists, nil)
				}
			}
			for _, m := range call.FindAllStringIndex(text, -1) {
				list, ok := inParentheses(text[m[1]-1:])
				rest := strings.TrimLeft(text[min(m[1]+len(list)+1, len(text)):], " ")
				switch {
				case !ok:
					lists = append(lists, nil)
				case !begins.MatchString(text[max(0, m[0]-40):m[0]+1]) && !strings.HasPrefix(rest, "{") && !strings.HasPrefix(rest, ":"):
					lists = append(lists, arguments(list))
				}
			}
		}
		if p.calls == nil {
			p.calls = map[string][][]string{}
		}
		p.calls[name] = lists
	}
	return at >= 0 && len(lists) > 0 && !slices.ContainsFunc(lists, func(args []string) bool {
		return args == nil || at < len(args) && !constant.MatchString(args[at])
	})
}

var (
	// shape matches the beginning of a type of TypeScript with the fields in braces, choice one that is a list of
	// texts or other values.
	shape  = lazyregexp.New(`\b(?:interface|type|class|enum)\s+(\w+)\b[^{};]*\{`)
	choice = lazyregexp.New(`\btype\s+(\w+)\s*=((?:\s*\|?\s*(?:'[^']*'|"[^"]*"|number|boolean|null|undefined|-?\d+))+)\s*[;\n]`)
	// typeName matches what may be the name of a type.
	typeName = lazyregexp.New(`\b[A-Z]\w*\b`)
)

// typesOf are the types of the project by their names, of which one that is there twice is not known.
func (p *scriptsText) typesOf(name string) string {
	if p.types == nil {
		p.types = map[string]string{}
		add := func(name, text string) {
			if old, twice := p.types[name]; twice && old != text {
				text = ""
			}
			p.types[name] = text
		}
		for _, text := range p.all() {
			for _, m := range shape.FindAllStringSubmatchIndex(text, -1) {
				if list, ok := inParentheses(text[m[1]-1:]); ok {
					add(text[m[2]:m[3]], strings.Fields(text[m[0]:])[0]+" {"+list)
				}
			}
			for _, m := range choice.FindAllStringSubmatch(text, -1) {
				add(m[1], "type "+m[2])
			}
		}
	}
	return p.types[name]
}

// holdsNoText reports whether of a type, as it is written, no text can be that changes a page.
func (p *scriptsText) holdsNoText(written string) bool {
	written = strings.TrimSpace(written)
	text := p.typesOf(strings.TrimSuffix(written, "[]"))
	chosen := strings.HasPrefix(text, "type ") && !strings.HasPrefix(text, "type {")
	return noText.MatchString(written) || strings.HasPrefix(text, "enum ") || chosen
}

// noTextIn reports whether the types that a file names declare a field, and none as a text.
func (f *source) noTextIn(field string) bool {
	if !f.is(syntax.TypeScript, syntax.TSX) {
		return false
	}
	if f.typeNames == nil {
		f.typeNames = typeName.FindAllString(strings.Join(f.code, "\n"), -1)
		slices.Sort(f.typeNames)
		f.typeNames = slices.Compact(f.typeNames)
	}
	declares := lazyregexp.New(`(?m)(?:^|[{;,]|\breadonly\b)\s*` + lazyregexp.Quote(field) + `\??\s*:\s*([^;,\n}]+)`)
	there := false
	for _, name := range f.typeNames {
		for _, m := range declares.FindAllStringSubmatch(f.project.typesOf(name), -1) {
			if !f.project.holdsNoText(m[1]) {
				return false
			}
			there = true
		}
	}
	return there
}
