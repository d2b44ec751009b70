package runner

import (
	"cmp"
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
)

// look is a row of the list of words.
type look struct {
	kind  violation.Kind
	what  string
	match *lazyregexp.Regexp
}

var looks = func() (out []look) {
	for _, line := range listed("words") {
		f := strings.Split(line, "\t")
		out = append(out, look{violation.Kind(f[0]), f[1], lazyregexp.New(f[2])})
	}
	return out
}()

// looksLike names what kind of change a difference of a name looks like. It has no say in whether
// there is one.
func looksLike(name string) look {
	name = strings.ToLower(name)
	for _, l := range looks {
		if l.match.MatchString(name) {
			return l
		}
	}
	return look{violation.ConfigChanged, "Test configuration changed", nil}
}

// describe puts in words what the decision found to be a change. Of a pipeline or script, its kind
// counts.
func (d difference) describe(kind violation.Kind) (_ violation.Kind, was, is int, text string) {
	was, is = lineOf(d.was), lineOf(d.is)
	switch gained, lost := firstNew(d.was, d.is), firstNew(d.is, d.was); {
	case gained.line > 0 && d.was != nil:
		is = gained.line
	case lost.line > was && d.is != nil:
		was, is = lost.line, 0
	}
	l := looksLike(d.option().key)
	if kind == "" || l.kind == violation.ConfigChanged && l.match != nil {
		kind = cmp.Or(l.kind, violation.ConfigNarrowed)
	}
	return kind, was, is, l.what + ": " + d.name() + " " + became(d.was, d.is)
}

// became says what a setting was and is.
func became(was, is *option) string {
	switch {
	case was == nil:
		return "was set to " + quoted(is.texts())
	case is == nil:
		return "was removed, it was " + quoted(was.texts())
	default:
		return "changed from " + quoted(was.texts()) + " to " + quoted(is.texts())
	}
}

// name is a setting's name for a sentence: of a deep one, its end.
func (d difference) name() string {
	parts := strings.Split(d.option().name, ".")
	if strings.Count(d.option().key, "/") < 4 {
		return d.option().name
	}
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

// lineOf is the line of an option's key, 0 of none.
func lineOf(o *option) int {
	if o == nil {
		return 0
	}
	return o.line
}
