package runner

import (
	"errors"
	"slices"
	"strings"
)

// option is one key of a configuration file with all that it is set to.
type option struct {
	key    string // its parts from the outermost, in lower case, joined by slashes
	name   string // as the file writes it, joined by dots
	line   int    // of the key, from 1
	values []value
	mixed  bool // it is set in several letter cases
}

// value is a scalar, or one element of a list.
type value struct {
	text string
	line int
}

// options are those of a file, in its order; keys are unique.
type options []option

// maxOptions bounds what is read of one file; maxDepth how deep it is nested.
const (
	maxOptions = 20_000
	maxDepth   = 64
)

// builder collects options, joining values of the same key.
type builder struct {
	out    options
	at     map[string]int
	count  int
	tables bool // what is empty is a section, in which nothing is set
}

// full reports whether the bound is reached; read turns that into an error, so nothing is cut
// silently.
func (b *builder) full() bool { return b.count >= maxOptions }

// read are the options, unless there were too many.
func (b *builder) read() (options, error) {
	if b.full() {
		return nil, errors.New("it has too many settings")
	}
	return b.out, nil
}

// add appends values to a key; a key without values is there, too.
func (b *builder) add(parts []string, line int, values ...value) {
	if b.full() {
		return
	}
	b.count += 1 + len(values)
	key, name := keyOf(parts), strings.Join(parts, ".")
	if b.at == nil {
		b.at = map[string]int{}
	}
	i, ok := b.at[key]
	if !ok {
		i = len(b.out)
		b.at[key] = i
		b.out = append(b.out, option{key: key, name: name, line: line})
	}
	b.out[i].mixed = b.out[i].mixed || b.out[i].name != name
	b.out[i].values = append(b.out[i].values, values...)
}

// keyOf joins the parts of a key; a slash inside a part is no separator.
func keyOf(parts []string) string {
	clean := make([]string, len(parts))
	for i, p := range parts {
		clean[i] = strings.ToLower(strings.ReplaceAll(p, "/", "∕"))
	}
	return strings.Join(clean, "/")
}

// find is the option of a key, nil if there is none.
func (o options) find(key string) *option {
	if i := slices.IndexFunc(o, func(x option) bool { return x.key == key }); i >= 0 {
		return &o[i]
	}
	return nil
}

// index makes finding by key fast.
func (o options) index() map[string]*option {
	m := make(map[string]*option, len(o))
	for i := range o {
		m[o[i].key] = &o[i]
	}
	return m
}

// respelled reports whether a key is written in another letter case than before, or in several: for
// most tools that is another key.
func (o *option) respelled(was *option) bool {
	return o != nil && (o.mixed || was != nil && o.name != was.name)
}

// texts are the values' texts; of no option, none.
func (o *option) texts() []string {
	if o == nil {
		return nil
	}
	out := make([]string, len(o.values))
	for i, v := range o.values {
		out[i] = v.text
	}
	return out
}

// last is the value that counts where a key is set twice; "" if there is none.
func (o *option) last() value {
	if o == nil || len(o.values) == 0 {
		return value{}
	}
	return o.values[len(o.values)-1]
}

// words are the values split at white space and commas, each with its line.
func (o *option) words() (out []value) {
	for i := 0; o != nil && i < len(o.values); i++ {
		for _, w := range strings.FieldsFunc(o.values[i].text,
			func(r rune) bool { return strings.ContainsRune(", \t\n\r", r) }) {
			out = append(out, value{w, o.values[i].line})
		}
	}
	return out
}

// texts are the texts of values.
func texts(list []value) []string {
	var out []string
	for _, v := range list {
		out = append(out, v.text)
	}
	return out
}

// all are the values of all settings.
func (o options) all() []string {
	var out []string
	for i := range o {
		out = append(out, o[i].texts()...)
	}
	return out
}

// below are the options whose keys begin with a prefix, without it.
func (o options) below(prefix string) options {
	var out options
	for _, x := range o {
		if rest, ok := strings.CutPrefix(x.key, prefix); ok {
			x.key = rest
			out = append(out, x)
		}
	}
	return out
}
