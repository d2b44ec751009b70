package layout

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Kind is what a layout takes a path for.
type Kind int

// The kinds, in the order in which a layout's patterns are tried.
const (
	None Kind = iota
	Spec
	Capability // a spec of what exists
	Roadmap
	Vision
	Scope
	Bug
	Companion
	Context
	Tests
	Code
	Tool // a file of the tool whose layout it is
)

// entry is one compiled pattern of a layout.
type entry struct {
	pattern
	layout *Layout
	kind   Kind
}

// Set is the layouts of one project, ready to match paths.
type Set struct {
	Layouts []Layout
	entries []entry
}

// NewSet compiles layouts. All that is wrong with their patterns is reported together, a line each.
func NewSet(layouts []Layout) (Set, error) {
	s := Set{Layouts: layouts}
	var errs []error
	for i := range s.Layouts {
		l := &s.Layouts[i]
		for _, list := range []struct {
			kind     Kind
			patterns Patterns
		}{
			{Tool, l.Except},
			{Spec, l.Spec},
			{Capability, l.Capability},
			{Roadmap, l.Roadmap},
			{Vision, l.Vision},
			{Scope, l.Scope},
			{Bug, l.Bug},
			{Companion, l.Companions},
			{Context, l.Context},
			{Tests, l.Tests},
			{Code, l.Code},
			{Tool, l.Ignore},
		} {
			for _, text := range list.patterns {
				p, err := compile(text, l.State.Folders)
				if err != nil {
					errs = append(errs, fmt.Errorf("%q %w", text, err))
					continue
				}
				s.entries = append(s.entries, entry{p, l, list.kind})
			}
		}
		for _, text := range slices.Concat(l.Branch, l.Marker, l.Schema) {
			if _, err := compile(text, Folders{}); err != nil {
				errs = append(errs, fmt.Errorf("%q %w", text, err))
			}
		}
	}
	return s, errors.Join(errs...)
}

// slugName is what companions may call a feature's name without the number that it begins with.
const slugName = "slug"

var leadingNumber = lazyregexp.New(`^\d+-`)

// Match is what a layout makes of a path.
type Match struct {
	Layout  *Layout
	Kind    Kind
	Pattern string         // that fits
	Feature string         // what {feature} captured, "" if the pattern has none
	State   workflow.State // by the path's folder, "" if it does not tell
	path    string
	names   map[string]string
	state   [2]int // where in path the state's folder stands
}

// Match finds what the first pattern that fits makes of a path.
func (s Set) Match(p string) (Match, bool) {
	for _, e := range s.entries {
		if e.matches(p) {
			return e.match(p, e.re().FindStringSubmatchIndex(p)), true
		}
	}
	return Match{}, false
}

// match is what an entry's expression captured of a path.
func (e entry) match(p string, at []int) Match {
	m := Match{Layout: e.layout, Kind: e.kind, Pattern: e.text, path: p, names: map[string]string{}}
	folders := e.states
	for i, name := range e.re().SubexpNames()[1:] {
		from, to := at[2*i+2], at[2*i+3]
		switch {
		case name == "":
			if from >= 0 {
				m.State = folders[0]
			}
			folders = folders[1:]
		default:
			m.names[name] = p[from:to]
			if name == "state" {
				m.state = [2]int{from, to}
			}
		}
	}
	m.Feature = cmp.Or(m.names["feature"], m.names[slugName])
	return m
}

// Capture is what a name in braces captured.
func (m Match) Capture(name string) string { return m.names[name] }

// Canonical is a path without the state that its folder tells, the same for a
// document in every state: a bug report's is where it is once fixed.
func (s Set) Canonical(p string) string {
	m, ok := s.Match(p)
	switch {
	case ok && m.Kind == Bug && len(m.Layout.Fixed) > 0:
		return m.Fill(m.Layout.Fixed[0])
	case m.State != "":
		return p[:m.state[0]] + "*" + p[m.state[1]:]
	default:
		return p
	}
}

// In is where the document stands in another state; false if its layout does
// not keep states in folders, or the folder's name is not fixed.
func (m Match) In(s workflow.State) (string, bool) {
	if m.state[1] == 0 {
		return "", false
	}
	folders := m.Layout.State.Folders.Of(s)
	if len(folders) == 0 ||
		strings.ContainsFunc(folders[0], func(r rune) bool { return !literal(r) }) {
		return "", false
	}
	return m.path[:m.state[0]] + folders[0] + m.path[m.state[1]:], true
}

// Fill replaces the names in a pattern by what was captured.
func (m Match) Fill(pattern string) string {
	for name, value := range m.names {
		pattern = strings.ReplaceAll(pattern, "{"+name+"}", value)
	}
	if m.Feature != "" {
		pattern = strings.ReplaceAll(
			pattern,
			"{"+slugName+"}",
			leadingNumber.ReplaceAllString(m.Feature, ""),
		)
	}
	return pattern
}

// Documents are paths by patterns, in their order.
type Documents []pattern

// Companions are the documents that the layout's companion patterns name for the match's feature.
// They stay when the spec is moved alone, so whatever stands where the state does will do.
func (m Match) Companions() Documents {
	isMoved := m.Layout.OnApproved == "move"
	if s := m.names["state"]; s != "" && !strings.Contains(s, "/") && isMoved {
		m.names = maps.Clone(m.names)
		m.names["state"] = "*"
	}
	return m.filled(m.Layout.Companions)
}

// Parts are the documents of the feature's spec: those of a bundle.
func (m Match) Parts() Documents { return m.filled(m.Layout.Spec) }

// Among are those of the paths, each once.
func (d Documents) Among(paths []string) []string {
	var out []string
	for _, p := range d {
		for _, candidate := range paths {
			if p.matches(candidate) && !slices.Contains(out, candidate) {
				out = append(out, candidate)
			}
		}
	}
	return out
}

// Folders are literal folders that together hold all of them.
func (d Documents) Folders() []string {
	var out []string
	for _, p := range d {
		out = append(out, p.folder())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// filled are patterns with the names filled in, without those that name what this document did not
// capture.
func (m Match) filled(patterns Patterns) Documents {
	var out Documents
	for _, text := range patterns {
		p, err := compile(m.Fill(text), Folders{})
		if err == nil && len(p.names) == 0 {
			out = append(out, p)
		}
	}
	return out
}

// Folders are literal folders that together hold everything that the patterns
// of the kinds name a feature by; "" stands for all.
func (s Set) Folders(kinds ...Kind) []string {
	var named Documents
	for _, e := range s.entries {
		if slices.Contains(kinds, e.kind) && slices.Contains(e.names, "feature") {
			named = append(named, e.pattern)
		}
	}
	return named.Folders()
}

// Branch is the feature that a branch's name captures by the layouts' patterns, the most literal
// first.
func (s Set) Branch(name string) []string {
	var out []string
	for _, l := range s.Layouts {
		for _, text := range l.Branch {
			p, err := compile(text, Folders{})
			if err != nil || !slices.Contains(p.names, "feature") || !p.matches(name) {
				continue
			}
			feature := p.re().FindStringSubmatch(name)[p.re().SubexpIndex("feature")]
			if !slices.Contains(out, feature) {
				out = append(out, feature)
			}
		}
	}
	return out
}

// Line is what the functions on texts must know of how the document's state is told, "" if no
// layout matched or says anything: the name of the line, and below it the words that it may say and
// the sections that report work.
func (m Match) Line() string {
	if m.Layout == nil {
		return ""
	}
	return m.Layout.State.text(m.Layout.Reports)
}

// Shown reports whether one of the paths is a marker of the layout.
func (l Layout) Shown(paths []string) bool {
	for _, marker := range (Match{}).filled(l.Marker) {
		if slices.ContainsFunc(paths, marker.matches) {
			return true
		}
	}
	return false
}

// Below lists, sorted, the folders of files that hold a marker of the layout, besides the root.
func (l Layout) Below(files []string) []string {
	found := map[string]bool{}
	for _, marker := range l.Marker.Folders() {
		for _, f := range files {
			if at := strings.Index(f, "/"+marker+"/"); at > 0 {
				found[f[:at]] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Folders are literal folders that together hold what the patterns match.
func (p Patterns) Folders() []string { return Match{}.filled(p).Folders() }
