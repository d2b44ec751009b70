package prove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"workflow-reviewer/internal/integrity/runner"
)

// mix is a file with what the code needs as it is now, and what steers tests as it was; nil was
// there no file. The bytes of now are returned where the two say the same of tests. What cannot be
// taken apart is was, as a whole.
func mix(ctx context.Context, p string, was, now []byte) []byte {
	r := mixedRow(p)
	if r == nil {
		r = &row{how: "whole"}
	}
	var mixed []byte
	var err error
	switch r.how {
	case "json":
		mixed, err = mixJSON(r.keys, was, now)
	case "toml":
		mixed, err = mixTOML(r.keys, was, now)
	case "ini":
		mixed = mixINI(r.keys, was, now)
	case "gomod":
		mixed = mixModule(was, now)
	default:
		err = errWhole
	}
	switch {
	case err == nil:
		return append([]byte{}, mixed...) // empty is not nil
	case was == nil:
		return now // nothing reads it
	case harmless(ctx, p, was, now):
		return now
	default:
		return was
	}
}

var errWhole = errors.New("the file cannot be taken apart")

// harmless reports whether a difference is known to steer no tests.
func harmless(ctx context.Context, p string, was, now []byte) bool {
	r := runner.Compare(ctx, p, was, now)
	return len(r.Violations)+len(r.NotAnalysed) == 0
}

// side says whose a key is.
type side int

const (
	steering side = iota // as it was
	coding               // as it is now
	divided              // parts of it are the one's, parts the other's
)

// sideOf looks a key up among those of the code: the longest that is it, or is above it, counts.
func sideOf(keys, key []string) side {
	longest, found := 0, steering
	deeper := false
	for _, k := range keys {
		name, steers := strings.CutPrefix(k, "!")
		parts := strings.Split(name, ".")
		switch n := shared(parts, key); {
		case n == len(parts) && n >= longest:
			longest, found = n, map[bool]side{true: steering, false: coding}[steers]
		case n == len(key):
			deeper = true
		}
	}
	if deeper {
		return divided
	}
	return found
}

// shared counts the parts that a pattern and a key begin with alike; 0 unless one of them is used
// up.
func shared(pattern, key []string) int {
	n := 0
	for n < len(pattern) && n < len(key) && (pattern[n] == "*" || pattern[n] == key[n]) {
		n++
	}
	if n < len(pattern) && n < len(key) {
		return 0
	}
	return n
}

// member is one key of an object in its order.
type member struct {
	key   string
	value json.RawMessage
}

// mixJSON takes the keys that steer tests from was and the others from now. If nothing that steers
// differs, it is now, byte by byte.
func mixJSON(keys []string, was, now []byte) ([]byte, error) {
	if was == nil {
		was = []byte("{}")
	}
	a, err := members(was)
	if err != nil {
		return nil, err
	}
	b, err := members(now)
	if err != nil {
		return nil, err
	}
	is := func(want side) func(m member) bool {
		return func(m member) bool { return (sideOf(keys, []string{m.key}) == coding) == (want == coding) }
	}
	steers := func(list []member) map[string]any {
		out := map[string]any{}
		for _, m := range list {
			if is(steering)(m) {
				var v any
				if err := json.Unmarshal(m.value, &v); err != nil {
					return nil
				}
				out[m.key] = v
			}
		}
		return out
	}
	if reflect.DeepEqual(steers(a), steers(b)) {
		return now, nil
	}
	var out bytes.Buffer
	out.WriteString("{")
	for i, m := range append(slices.DeleteFunc(slices.Clone(b), is(steering)), slices.DeleteFunc(slices.Clone(a), is(coding))...) {
		if i > 0 {
			out.WriteString(",")
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		out.Write(key)
		out.WriteString(":")
		out.Write(m.value)
	}
	out.WriteString("}")
	var pretty bytes.Buffer
	err = json.Indent(&pretty, out.Bytes(), "", "  ")
	return append(pretty.Bytes(), '\n'), err
}

// members are those of an object, the last of each key.
func members(src []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(src, []byte("\ufeff"))))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, errors.Join(err, errWhole)
	}
	var out []member
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, err
		}
		m := member{key: fmt.Sprint(tok)}
		if err := dec.Decode(&m.value); err != nil {
			return nil, err
		}
		out = slices.DeleteFunc(out, func(o member) bool { return o.key == m.key })
		out = append(out, m)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errWhole
	}
	return out, nil
}

// mixTOML is mixJSON for TOML. Comments are lost where something is mixed.
func mixTOML(keys []string, was, now []byte) ([]byte, error) {
	a, b := map[string]any{}, map[string]any{}
	if err := toml.Unmarshal(was, &a); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(now, &b); err != nil {
		return nil, err
	}
	mixed := mixTables(keys, nil, a, b)
	if reflect.DeepEqual(mixed, b) {
		return now, nil
	}
	return toml.Marshal(mixed)
}

// mixTables joins two tables key by key.
func mixTables(keys, above []string, was, now map[string]any) map[string]any {
	out := map[string]any{}
	names := map[string]bool{}
	for _, t := range []map[string]any{was, now} {
		for name := range t {
			names[name] = true
		}
	}
	for name := range names {
		key := append(slices.Clone(above), name)
		a, hadA := was[name]
		b, hasB := now[name]
		which := sideOf(keys, key)
		if which == divided {
			ta, okA := a.(map[string]any)
			tb, okB := b.(map[string]any)
			if (okA || !hadA) && (okB || !hasB) {
				if t := mixTables(keys, key, ta, tb); len(t) > 0 || hasB && len(tb) == 0 {
					out[name] = t
				}
				continue
			}
			which = steering
		}
		if which == coding && hasB {
			out[name] = b
		}
		if which == steering && hadA {
			out[name] = a
		}
	}
	return out
}

// section is a part of an INI file under one head; the first has none.
type section struct{ name, text string }

// sections cuts an INI file at its heads. The first section has no name.
func sections(src []byte) []section {
	out := []section{{}}
	for line := range strings.Lines(string(src)) {
		if name, ok := strings.CutPrefix(line, "["); ok && strings.Contains(name, "]") {
			out = append(out, section{name: name[:strings.LastIndex(name, "]")]})
		}
		out[len(out)-1].text += line
	}
	return out
}

// mixINI takes the sections of the code from now and the others from was.
func mixINI(keys []string, was, now []byte) []byte {
	coded := func(s section) bool {
		name := strings.ToLower(strings.TrimSpace(s.name))
		return slices.ContainsFunc(keys, func(k string) bool {
			prefix, wild := strings.CutSuffix(k, "*")
			return name == k || wild && strings.HasPrefix(name, prefix)
		})
	}
	join := func(list []section, want bool) string {
		var b strings.Builder
		for _, s := range list {
			if coded(s) == want && strings.TrimSpace(s.text) != "" {
				b.WriteString(strings.TrimRight(s.text, "\n") + "\n")
			}
		}
		return b.String()
	}
	a, b := sections(was), sections(now)
	if join(a, false) == join(b, false) {
		return now
	}
	return []byte(join(a, false) + join(b, true))
}

// mixModule is a go.mod with the ignored folders and the replaced modules as they were:
// requirements are the code's.
func mixModule(was, now []byte) []byte {
	replaced := func(src []byte) (kept, taken []string) {
		block := ""
		for line := range strings.Lines(string(src)) {
			text := strings.TrimSpace(line)
			verb, rest, _ := strings.Cut(text, " ")
			verb, opened := strings.CutSuffix(verb, "(")
			steers := verb == "replace" || verb == "ignore"
			switch {
			case steers && (opened || strings.HasPrefix(rest, "(")):
				block = verb
			case block != "" && text == ")":
				block = ""
			case block != "" && text != "":
				taken = append(taken, block+" "+text)
			case steers:
				taken = append(taken, text)
			case block == "":
				kept = append(kept, strings.TrimRight(line, "\n"))
			}
		}
		return kept, taken
	}
	kept, is := replaced(now)
	_, had := replaced(was)
	if slices.Equal(is, had) {
		return now
	}
	judges := func(line string) bool { // it takes the place of what tests are judged by
		f := strings.Fields(line)
		return f[0] == "ignore" || len(f) > 1 && runner.TakesFrameworksPlace("vendor/"+f[1]+"/x.go")
	}
	mixed := slices.DeleteFunc(slices.Clone(is), judges)
	mixed = append(mixed, slices.DeleteFunc(slices.Clone(had), func(l string) bool { return !judges(l) })...)
	if slices.Equal(mixed, is) {
		return now
	}
	return []byte(strings.Join(append(kept, mixed...), "\n") + "\n")
}
