// Package layout describes where a project keeps its specs and plans. A layout is data: the
// built-in ones stand in layouts.json in the form in which users write their own, and one engine
// matches paths against them.
package layout

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"workflow-reviewer/internal/workflow"
)

// Patterns is a list of path patterns; a single one may be written without brackets. A pattern is a
// glob (*, ?, **, {a,b}) in which {feature} and other names in braces capture one segment or a part
// of it, {feature:#-*} one that begins with a digit and a dash, and {state} stands for the folder
// of a state.
type Patterns []string

// UnmarshalJSON implements json.Unmarshaler.
func (p *Patterns) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*p = Patterns{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(p))
}

// Layout says where the documents of a way of working are, and what an approval does to them. An
// empty key of a layout that extends another is the other's.
type Layout struct {
	// How messages name the layout; default is the one it extends, or own.
	Name string `json:"name,omitempty"`
	// Built-in layout whose keys hold where this one says nothing: workflow, bundle, spec-kit,
	// openspec, kiro or bmad.
	Extends string `json:"extends,omitempty"     jsonschema:"enum=workflow,enum=bundle,enum=spec-kit,enum=openspec,enum=kiro,enum=bmad"`
	// Folder that all patterns of this layout are below.
	Root string `json:"root,omitempty"`
	// Files that show that a project uses the layout; not needed where the config names it.
	Marker Patterns `json:"marker,omitempty"`
	// Headings of its documents, as its tool's templates have them: what has two of them elsewhere
	// is warned of.
	Headings []string `json:"headings,omitempty"`
	// What a folder below, which holds a marker too, is: a project of its own, or a further folder
	// of the layout's documents, at most two levels deep.
	Nested string `json:"nested,omitempty"      jsonschema:"enum=project,enum=folder"`
	// Schemas of OpenSpec, whose artifacts and tasks are documents beside the first roadmap.
	Schema Patterns `json:"schema,omitempty"`
	// Specs; {feature} captures the feature's name.
	Spec Patterns `json:"spec,omitempty"`
	// All files of a feature that spec names are one spec: a change of one has all reviewed, the
	// first pattern's first.
	Bundle bool `json:"bundle,omitempty"`
	// Specs of what exists, which changes of a feature are synced to; {feature} is the capability.
	Capability Patterns `json:"capability,omitempty"`
	// Roadmaps, or with {feature} the task list of a feature.
	Roadmap Patterns `json:"roadmap,omitempty"`
	// Vision documents.
	Vision Patterns `json:"vision,omitempty"`
	// Scope documents.
	Scope Patterns `json:"scope,omitempty"`
	// Bug reports whose fix is under way.
	Bug Patterns `json:"bug,omitempty"`
	// Where a bug report moves to when its fix is approved.
	Fixed Patterns `json:"fixed,omitempty"`
	// Documents of a feature that its reviewers are shown, which are neither reviewed nor code.
	Companions Patterns `json:"companions,omitempty"`
	// Documents of the whole project that every reviewer is shown, as they stand in the base.
	Context Patterns `json:"context,omitempty"`
	// Sections of specs that report work, by their titles: they are no content.
	Reports []string `json:"reports,omitempty"`
	// Files that no other pattern of the layout takes.
	Except Patterns `json:"except,omitempty"`
	// Files that belong to the tool whose layout it is.
	Ignore Patterns `json:"ignore,omitempty"`
	// Tests of a feature, where folders of another name hold them.
	Tests Patterns `json:"tests,omitempty"`
	// Source of a feature, where folders of another name hold it.
	Code Patterns `json:"code,omitempty"`
	// Branches that name the feature.
	Branch Patterns `json:"branch,omitempty"`
	// How the state of a spec is told.
	State State `json:"state,omitzero"`
	// What an approval does to the spec: move it to the next folder, set its state line, or none.
	OnApproved string `json:"on_approved,omitempty" jsonschema:"enum=move,enum=line,enum=none"`
	// What becomes of ticks and states that say that work is done which is not there; default
	// advice.
	Ticks string `json:"ticks,omitempty"       jsonschema:"enum=advice,enum=block"`
	// What to tell when the implementation is approved.
	Advice string `json:"advice,omitempty"`
}

// State says where the state of a spec is written.
type State struct {
	// Folder of each state, what {state} in a pattern stands for.
	Folders Folders `json:"folders,omitzero"`
	// Name of the line in the spec that tells the state, such as Status.
	Line string `json:"line,omitempty"`
	// Word of the line for a spec that is not approved, as all of these: any word, or several with
	// | between them, of which the first is written; default Draft.
	Proposed string `json:"proposed,omitempty"`
	// Word for an approved spec, set by its approval; default Approved.
	Approved string `json:"approved,omitempty"`
	// Word for a spec that is being implemented; default In Progress.
	Doing string `json:"doing,omitempty"`
	// Word for an implemented spec, set by the implementation's approval; default Complete.
	Complete string `json:"complete,omitempty"`
	// JSON file beside the spec that tells the phase, as cc-sdd's spec.json.
	File string `json:"file,omitempty"`
	// List of tasks beside the spec whose ticked boxes tell how far the work is.
	Tasks string `json:"tasks,omitempty"`
}

// Folders are the folders of the states; the first of a list is moved to.
type Folders struct {
	// Specs that are not approved.
	Proposed Patterns `json:"proposed,omitempty"`
	// Approved specs.
	Todo Patterns `json:"todo,omitempty"`
	// Specs that are being implemented.
	Doing Patterns `json:"doing,omitempty"`
	// Implemented specs.
	Done Patterns `json:"done,omitempty"`
}

// Of is the folders of a state.
func (f Folders) Of(s workflow.State) Patterns {
	switch s {
	case workflow.Proposed:
		return f.Proposed
	case workflow.Todo:
		return f.Todo
	case workflow.Doing:
		return f.Doing
	case workflow.Done:
		return f.Done
	default:
		return nil
	}
}

//go:embed layouts.json
var builtinJSON []byte

var builtin = sync.OnceValue(func() []Layout {
	var all []Layout
	if err := json.Unmarshal(builtinJSON, &all); err != nil {
		panic(fmt.Sprintf("layouts.json: %v", err)) // a test parses it
	}
	return all
})

// Builtin is the built-in layouts in the order in which they are tried.
func Builtin() []Layout { return slices.Clone(builtin()) }

var builtinSet = sync.OnceValues(func() (Set, error) { return NewSet(Builtin()) })

// BuiltinSet is the built-in layouts as one set.
func BuiltinSet() (Set, error) { return builtinSet() }

// Names are the built-in layouts' names.
func Names() []string {
	var out []string
	for _, l := range Builtin() {
		out = append(out, l.Name)
	}
	return out
}

// Named is a built-in layout.
func Named(name string) (Layout, bool) {
	for _, l := range Builtin() {
		if l.Name == name {
			return l, true
		}
	}
	return Layout{}, false
}

// Complete is a user's layout with the keys of the one that it extends, also of
// those below state, and defaults for what it leaves open.
func (l Layout) Complete() Layout {
	base, _ := Named(l.Extends)
	inherit(reflect.ValueOf(&l).Elem(), reflect.ValueOf(base))
	own := reflect.ValueOf(&l).Elem()
	for i := range own.NumField() {
		list, ok := own.Field(i).Addr().Interface().(*Patterns)
		if ok && l.Root != "" && own.Type().Field(i).Name != "Branch" {
			*list = under(l.Root, *list)
		}
	}
	implied := ""
	if l.State.Line != "" {
		implied = "line"
	}
	l.Name = cmp.Or(l.Name, "own")
	l.OnApproved = cmp.Or(l.OnApproved, implied, "none")
	l.Marker, l.Root, l.Extends = nil, "", "" // it is in use because the config says so
	return l
}

// inherit gives a struct the values of another where it has none.
func inherit(own, base reflect.Value) {
	for i := range own.NumField() {
		switch f := own.Field(i); {
		case f.Kind() == reflect.Struct:
			inherit(f, base.Field(i))
		case f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0:
			f.Set(base.Field(i))
		}
	}
}

// Check tells what is wrong with a user's layout, also of what it asks for that can never work, a
// line each.
func (l Layout) Check() error {
	full := l.Complete()
	_, err := NewSet([]Layout{full})
	errs := []error{err}
	wrong := func(is bool, format string, args ...any) {
		if is {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	wrong(
		l.OnApproved == "move" && !strings.Contains(strings.Join(full.Spec, " "), "{state}"),
		`"on_approved" is "move", but "spec" has no {state}: put it there, and its "folders" into "state"`,
	)
	wrong(l.OnApproved == "line" && full.State.Line == "",
		`"on_approved" is "line", but "state" has no "line": name it there`)
	for _, state := range States() {
		for _, word := range l.State.words(state) {
			_, got, after, _ := splitState("Status: "+word, stateLead("Status\n"+word))
			wrong(got != word || after != "",
				`"state" has the word %q: begin it with a letter or a digit, on one line`, word)
		}
	}
	for _, text := range l.Fixed {
		p, _ := compile(text, full.State.Folders) // NewSet tells
		isUnknown := func(n string) bool { return !captures(full.Bug, n) }
		wrong(
			strings.ContainsAny(text, "*?") || slices.ContainsFunc(p.names, isUnknown),
			`"fixed" is %q: reports move there, so it has no * or ?, and no names but those of "bug"`,
			text,
		)
	}
	captured := slices.Concat(full.Spec, full.Capability, full.Roadmap, full.Bug)
	for _, text := range l.Companions {
		p, _ := compile(text, full.State.Folders) // NewSet tells
		for _, name := range p.names {
			wrong(name != slugName && !captures(captured, name),
				"%q names {%s}, which no pattern of specs or roadmaps captures", text, name)
		}
	}
	return errors.Join(errs...)
}

// captures reports whether one of the patterns captures a name.
func captures(patterns Patterns, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return strings.Contains(p, "{"+name+"}") || strings.Contains(p, "{"+name+":")
	})
}

// under puts patterns below a folder.
func under(root string, patterns Patterns) Patterns {
	var out Patterns
	for _, p := range patterns {
		out = append(out, path.Join(root, p))
	}
	return out
}

// Word is the state line's word for a state, which an approval writes.
func (s State) Word(of workflow.State) string {
	return append(s.words(of), "")[0]
}

// words are all of the line's words for a state.
func (s State) words(of workflow.State) []string {
	said := map[workflow.State]string{
		workflow.Proposed: cmp.Or(s.Proposed, "Draft"),
		workflow.Todo:     cmp.Or(s.Approved, "Approved"),
		workflow.Doing:    cmp.Or(s.Doing, "In Progress"),
		workflow.Done:     cmp.Or(s.Complete, "Complete"),
	}
	return strings.FieldsFunc(said[of], func(r rune) bool { return r == '|' })
}

// text is what Content, SetLine and OddLine must know of the state: the name of its line, the words
// that it may say and nobody would guess, and the titles of the sections that report work.
func (s State) text(reports []string) string {
	out := []string{s.Line}
	for _, of := range States() {
		for _, word := range s.words(of) {
			if _, got, _, _ := splitState("Status: "+word, usualLead); s.Line != "" && got != word {
				out = append(out, word)
			}
		}
	}
	for _, title := range reports {
		out = append(out, sectionMark+title)
	}
	return strings.Join(out, "\n")
}

// Names of layouts that have a meaning of their own.
const (
	Auto     = "auto"     // every built-in layout that the project's files show
	Workflow = "workflow" // holds also where no file shows it
	// What ticks may say of work that is not there.
	TicksBlock    = "block"
	NestedProject = "project" // a nested marker makes a project
	NestedFolder  = "folder"  // a nested marker makes a further folder of documents

	// specs in several files; artifacts of every layout whose specs are bundles are of it
	BundleName = "bundle"
)
