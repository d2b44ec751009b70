package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"workflow-reviewer/internal/layout"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/nearest"
	"workflow-reviewer/internal/workflow"
)

// decoder fills Go values from JSON and collects every problem on the way instead of stopping
// at the first.
type decoder struct {
	problems []problem
}

// problem is one thing wrong with a config file.
type problem struct {
	offset int
	path   string // of the key, dotted
	text   string
}

// at is the problem as one line: name:line:column: path: text.
func (p problem) at(name string, data []byte) error {
	before := data[:min(p.offset, len(data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	if p.path == "" {
		return fmt.Errorf("%s:%d:%d: %s", name, line, column, p.text)
	}
	return fmt.Errorf("%s:%d:%d: %s: %s", name, line, column, p.path, p.text)
}

// maxProblems limits the problems that are told of one file.
const maxProblems = 50

// err joins the problems, one line each with its place, of more than maxProblems the first. It is
// nil if there is none.
func (d *decoder) err(name string, data []byte) error {
	var errs []error
	for i, p := range d.problems {
		if i == maxProblems {
			errs = append(
				errs,
				fmt.Errorf("%s: %d more problems", name, len(d.problems)-maxProblems),
			)
			break
		}
		errs = append(errs, p.at(name, data))
	}
	return errors.Join(errs...)
}

// fail notes a problem at a byte's offset. Decoding goes on, so that all problems of a file are
// told at once.
func (d *decoder) fail(offset int, path, format string, args ...any) {
	d.problems = append(d.problems, problem{offset, path, fmt.Sprintf(format, args...)})
}

// decode fills v from n. path names v's key, lim is what its field's tag asks.
func (d *decoder) decode(n hujson.Value, v reflect.Value, path string, lim limits) {
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch target := v.Addr().Interface().(type) {
	case *AutoMove:
		d.autoMove(n, target, path)
		return
	case *Layout:
		d.layout(n, target, path)
		return
	case *layout.Patterns:
		if _, one := valueOf(n).(string); one {
			n.Value = &hujson.Array{Elements: []hujson.Value{n}}
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Map:
		d.mapping(n, v, path)
	case reflect.Slice:
		d.list(n, v, path)
	default:
		d.scalar(n, v, path, lim)
	}
}

// object fills a struct, whose json tags are the known keys. Unknown and doubled keys are problems.
func (d *decoder) object(n hujson.Value, v reflect.Value, path string) {
	object, ok := n.Value.(*hujson.Object)
	if !ok {
		d.wrongKind(n, path, "an object")
		return
	}
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f
	}
	seen := map[string]bool{}
	for _, m := range object.Members {
		name := keyOf(m)
		f, ok := fields[name]
		switch {
		case !ok:
			d.unknown(m, path, "key", keys(fields), strings.Join(keys(fields), ", "))
		case seen[name]:
			d.fail(m.Name.StartOffset, join(path, name), "is given twice")
		default:
			seen[name] = true
			d.decode(m.Value, v.FieldByIndex(f.Index), join(path, name), limitsOf(f))
		}
	}
}

// mapping fills a map. Two spellings of the same key are a problem, and so is an empty list of
// patterns.
func (d *decoder) mapping(n hujson.Value, v reflect.Value, path string) {
	object, ok := n.Value.(*hujson.Object)
	if !ok {
		d.wrongKind(n, path, "an object")
		return
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range object.Members {
		key, ok := d.key(m, v.Type().Key(), path)
		if !ok {
			continue
		}
		if v.MapIndex(key).IsValid() {
			d.fail(m.Name.StartOffset, join(path, keyOf(m)), "is given twice (%s)", key.String())
			continue
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		d.decode(m.Value, elem, join(path, keyOf(m)), limits{})
		if items, isList := m.Value.Value.(*hujson.Array); isList && len(items.Elements) == 0 &&
			key.Type() == reflect.TypeFor[workflow.Type]() {
			d.fail(
				m.Value.StartOffset, join(path, keyOf(m)),
				"is an empty list; leave the key out for the built-in patterns",
			)
		}
		v.SetMapIndex(key, elem)
	}
}

// key reads an object's key as an artifact type or a feature's name.
func (d *decoder) key(m hujson.ObjectMember, kind reflect.Type, path string) (reflect.Value, bool) {
	name := keyOf(m)
	if kind == reflect.TypeFor[Feature]() {
		if !featurePattern.MatchString(name) {
			d.fail(
				m.Name.StartOffset, join(path, name),
				"%s is not a feature name of at most 100 letters, digits and . _ -", shown(name),
			)
			return reflect.Value{}, false
		}
		return reflect.ValueOf(Feature(name)), true
	}
	names := typeNames()
	if kind == reflect.TypeFor[ReviewedType]() && name == "*" {
		return reflect.ValueOf(ReviewedType(name)), true
	}
	t, ok := names[name]
	if !ok {
		d.unknown(m, path, "artifact type", keys(names), typesText())
		return reflect.Value{}, false
	}
	return reflect.ValueOf(t).Convert(kind), true
}

var featurePattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

// typeNames maps the spellings of types that a config may use.
func typeNames() map[string]workflow.Type {
	names := map[string]workflow.Type{"test": workflow.Tests}
	for _, t := range workflow.Types() {
		for _, s := range []string{string(t), t.Plural()} {
			names[s] = t
			names[strings.ReplaceAll(s, "-", "_")] = t
			names[strings.ReplaceAll(s, "-", "")] = t
		}
	}
	return names
}

// list fills a slice, and holds its items to what the slice's type asks for.
func (d *decoder) list(n hujson.Value, v reflect.Value, path string) {
	list, ok := n.Value.(*hujson.Array)
	if !ok {
		d.wrongKind(n, path, "a list")
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(list.Elements), len(list.Elements)))
	for i, item := range list.Elements {
		lim := limits{
			glob:    v.Type() == reflect.TypeFor[Globs](),
			pattern: v.Type() == reflect.TypeFor[layout.Patterns](),
		}
		if s, isText := valueOf(item).(string); isText && v.Type() == reflect.TypeFor[Roots]() {
			lim.glob = s != "" // the repository's own root
		}
		d.decode(item, v.Index(i), fmt.Sprintf("%s[%d]", path, i), lim)
	}
}

// autoMove reads one value for all types, or one by type.
func (d *decoder) autoMove(n hujson.Value, m *AutoMove, path string) {
	switch valueOf(n).(type) {
	case bool:
		d.decode(n, reflect.ValueOf(&m.All).Elem(), path, limits{})
	case *hujson.Object:
		d.decode(n, reflect.ValueOf(&m.Types).Elem(), path, limits{})
	default:
		d.wrongKind(n, path, "true, false or an object by type")
	}
}

// layout reads a layout by its name, or an own one.
func (d *decoder) layout(n hujson.Value, l *Layout, path string) {
	switch valueOf(n).(type) {
	case string:
		known := limits{enum: append([]string{layout.Auto}, layout.Names()...)}
		d.decode(n, reflect.ValueOf(&l.Name).Elem(), path, known)
	case *hujson.Object:
		before := len(d.problems)
		d.decode(n, reflect.ValueOf(&l.Own).Elem(), path, limits{})
		if len(d.problems) > before {
			return
		}
		if _, err := parseRepoPath(l.Own.Root); l.Own.Root != "" && err != nil {
			d.fail(n.StartOffset, join(path, "root"), "%s %v", shown(l.Own.Root), err)
		}
		if strings.ContainsAny(l.Own.Root, `*?[{\`) {
			d.fail(
				n.StartOffset, join(path, "root"),
				`%s is a pattern; name one folder, or projects in "roots"`, shown(l.Own.Root),
			)
		}
		if len(l.Own.Spec) == 0 && l.Own.Extends == "" {
			d.fail(
				n.StartOffset, path,
				`says neither where specs are ("spec") nor which layout it "extends"`,
			)
		}
		if err := l.Own.Check(); err != nil {
			for problem := range strings.SplitSeq(err.Error(), "\n") {
				d.fail(n.StartOffset, path, "%s", problem)
			}
		}
	default:
		d.wrongKind(n, path, "the name of a layout or an object")
	}
}

// wrongKind notes that a value is of another kind than wanted.
func (d *decoder) wrongKind(n hujson.Value, path, want string) {
	d.fail(n.StartOffset, path, "is %s; want %s", kindOf(n), want)
}

// unknown reports a key that is none of the known ones, with the nearest, else with those that are
// worth listing.
func (d *decoder) unknown(m hujson.ObjectMember, path, what string, known []string, listed string) {
	hint := "known: " + listed
	if near := nearest.Word(keyOf(m), known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	d.fail(m.Name.StartOffset, join(path, keyOf(m)), "unknown %s; %s", what, hint)
}

// keys are a map's keys, sorted.
func keys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

// join appends a key to a dotted path; a hostile key stays one line.
func join(path, key string) string {
	if !featurePattern.MatchString(key) && key != "$schema" {
		key = shown(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

// kindOf names a value for messages. Texts are cut, objects and lists are not quoted.
func kindOf(n hujson.Value) string {
	switch v := valueOf(n).(type) {
	case nil:
		return "null"
	case bool:
		return fmt.Sprint(v)
	case json.Number:
		return "the number " + strings.Trim(shown(v.String()), `"`)
	case string:
		return "the text " + shown(v)
	case *hujson.Object:
		return "an object"
	default:
		return "a list"
	}
}
