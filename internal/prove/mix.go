package prove

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/integrity/runner"
)

// mix is a file with what the code needs as it is now, and what steers tests as it was; nil was
// there no file. The bytes of now are returned where the two say the same of tests. What cannot be
// taken apart is was, as a whole.
func mix(p string, was, now []byte) []byte {
	mixed, err := mixParts(mixedRow(p), was, now)
	switch {
	case err == nil:
		return append([]byte{}, mixed...) // empty is not nil
	case was == nil: // nothing reads it
		return now
	case harmless(p, was, now):
		return now
	default:
		return was
	}
}

var errWhole = errors.New("the file cannot be taken apart")

// harmless reports whether a difference is known to steer no tests.
func harmless(p string, was, now []byte) bool {
	r := runner.Compare(p, was, now)
	return len(r.Violations)+len(r.NotAnalysed) == 0
}

// format takes a file apart into its parts by their keys, and puts it together. Comments and the
// order of its uppermost keys may get lost.
type format struct {
	split func(src []byte) (map[string]any, error)
	join  func(parts map[string]any) ([]byte, error)
}

var formats = map[string]format{
	"json": {
		splitJSON,
		func(parts map[string]any) ([]byte, error) { return json.MarshalIndent(parts, "", "  ") },
	},
	"toml": {splitTOML, func(parts map[string]any) ([]byte, error) { return toml.Marshal(parts) }},
	"ini":  {splitINI, joinText}, "gomod": {splitModule, joinText},
}

// mixParts takes the parts that steer tests from was and the others from now.
func mixParts(r *row, was, now []byte) ([]byte, error) {
	if r == nil || formats[r.how].split == nil {
		return nil, errWhole
	}
	f := formats[r.how]
	a, b := map[string]any{}, map[string]any{}
	var err error
	if was != nil {
		a, err = f.split(was)
	}
	if err == nil {
		b, err = f.split(now)
	}
	if err != nil {
		return nil, err
	}
	mixed := mixTables(r.keys, nil, a, b)
	if reflect.DeepEqual(mixed, b) {
		return now, nil
	}
	return f.join(mixed)
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
	for n < len(pattern) && n < len(key) {
		prefix, open := strings.CutSuffix(pattern[n], "*")
		if pattern[n] != key[n] && !(open && strings.HasPrefix(key[n], prefix)) {
			break
		}
		n++
	}
	if n < len(pattern) && n < len(key) {
		return 0
	}
	return n
}

// mixTables joins two tables key by key.
func mixTables(keys, above []string, was, now map[string]any) map[string]any {
	out, names := map[string]any{}, maps.Clone(now)
	maps.Copy(names, was)
	for name := range names {
		key := append(slices.Clone(above), name)
		a, hadA := was[name]
		b, hasB := now[name]
		ta, okA := a.(map[string]any)
		tb, okB := b.(map[string]any)
		switch which := sideOf(keys, key); {
		case which == divided && (okA || !hadA) && (okB || !hasB):
			if t := mixTables(keys, key, ta, tb); len(t) > 0 || hasB && len(tb) == 0 {
				out[name] = t
			}
		case which == coding && hasB:
			out[name] = b
		case which != coding && hadA:
			out[name] = a
		}
	}
	return out
}

// splitJSON takes an object apart. What is in its members stays as it is written.
func splitJSON(src []byte) (map[string]any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(bom.UTF8(src), &members); err != nil || members == nil {
		return nil, errors.Join(err, errWhole)
	}
	out := map[string]any{}
	for name, value := range members {
		var b bytes.Buffer
		if err := json.Compact(&b, value); err != nil {
			return nil, err
		}
		out[name] = json.RawMessage(b.Bytes())
	}
	return out, nil
}

func splitTOML(src []byte) (map[string]any, error) {
	out := map[string]any{}
	err := toml.Unmarshal(src, &out)
	return out, err
}

// splitINI cuts a file at its heads, in which slashes stand for dots. What stands before the first
// has no name.
func splitINI(src []byte) (map[string]any, error) {
	out, name := map[string]any{}, ""
	for line := range strings.Lines(string(src)) {
		if head, ok := strings.CutPrefix(line, "["); ok && strings.Contains(head, "]") {
			name = strings.ToLower(strings.TrimSpace(head[:strings.LastIndex(head, "]")]))
			name = strings.ReplaceAll(name, ".", "/")
		}
		if strings.TrimSpace(line) != "" {
			text, _ := out[name].(string)
			out[name] = text + strings.TrimRight(line, "\n") + "\n"
		}
	}
	return out, nil
}

// splitModule takes out of a go.mod what tests are judged by: folders that are ignored, and test
// frameworks that are replaced.
func splitModule(src []byte) (map[string]any, error) {
	code, judges, block := "", "", ""
	for line := range strings.Lines(string(src)) {
		words := strings.Fields(block + line)
		switch {
		case len(words) == 2 && words[1] == "(":
			block = words[0] + " "
		case strings.HasPrefix(strings.TrimSpace(line), ")"):
			block = ""
		case len(words) > 1 && (words[0] == "ignore" || words[0] == "replace" &&
			runner.TakesFrameworksPlace("vendor/"+words[1]+"/x.go")):
			judges += strings.Join(words, " ") + "\n"
			continue
		}
		code += strings.TrimRight(line, "\n") + "\n"
	}
	out := map[string]any{"code": code}
	if judges != "" {
		out["judges"] = judges
	}
	return out, nil
}

// joinText puts parts of a text together.
func joinText(parts map[string]any) ([]byte, error) {
	var out []byte
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		text, _ := parts[name].(string) // it was split from one
		out = append(out, text...)
	}
	return out, nil
}
