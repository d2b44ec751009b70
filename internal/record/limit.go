package record

import (
	"fmt"
	"path"
	"reflect"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// limit bounds a result: the bytes of one text and the entries of one list.
type limit struct{ text, items int }

// limits are tried one after the other until the file fits.
var limits = []limit{{64 << 10, 500}, {16 << 10, 200}, {4 << 10, 100}, {1 << 10, 50}, {300, 25}}

// maxArtifacts bounds the files of an artifact. Their paths and ids are never cut: a record is
// found by them.
const maxArtifacts = 4000

// Fit returns r with its texts and lists cut until they have about most bytes, and says so in
// Omitted. What is short enough stays as it is, and what cannot be cut so far is as short as can
// be.
func Fit(r workflow.Result, most int) workflow.Result {
	out := r
	for _, l := range limits {
		if out = l.apply(r); size(out) <= most {
			break
		}
	}
	return out
}

// size is the length of a result's data in bytes.
func size(r workflow.Result) int { return len(dataLine(r)) }

// apply returns a deep copy of r within the limit, in valid UTF-8, and says in Omitted what was
// cut.
func (l limit) apply(r workflow.Result) (out workflow.Result) {
	b := bounder{limit: l}
	b.copy(reflect.ValueOf(&out).Elem(), reflect.ValueOf(r))
	if b.cut {
		out.Omitted = append(out.Omitted, fmt.Sprintf(
			"Of this review itself: it is too long to be shown here whole, texts were cut to %d "+
				"bytes, lists to %d entries.", l.text, l.items))
	}
	return out
}

// bounder holds values to a limit, and notes whether something was cut.
type bounder struct {
	limit
	cut bool
}

// text is a text without what could deceive a reader, at most as long as the limit says.
func (b *bounder) text(s string) string {
	if len(s) > 2*b.limit.text {
		s, b.cut = s[:2*b.limit.text], true // spares the cleaning of what will go
	}
	clean := markdown.Clean(s)
	out := markdown.Clip(clean, b.limit.text)
	b.cut = b.cut || out != clean
	return out
}

// copy writes a deep copy of a value, held to the limit. Words of a closed list, which have a type
// of their own, stay, and so does who answers for a review. Of structs it goes into those of
// package workflow alone.
func (b *bounder) copy(to, from reflect.Value) {
	to.Set(from)
	switch from.Kind() {
	case reflect.String:
		if from.Type() == reflect.TypeFor[string]() {
			to.SetString(b.text(from.String()))
		}
	case reflect.Pointer:
		b.pointer(to, from)
	case reflect.Slice:
		b.slice(to, from)
	case reflect.Struct:
		if path.Base(from.Type().PkgPath()) == "workflow" {
			for i := range from.NumField() {
				b.copy(to.Field(i), from.Field(i))
			}
		}
	}
}

// pointer copies what a pointer points to. A pointer to a text is a suggestion: one that had to be
// cut would replace code by a part of it, and is dropped.
func (b *bounder) pointer(to, from reflect.Value) {
	if from.IsNil() || from.Type() == reflect.TypeFor[*workflow.Override]() {
		return
	}
	to.Set(reflect.New(from.Type().Elem()))
	b.copy(to.Elem(), from.Elem())
	if from.Elem().Kind() == reflect.String && to.Elem().String() != from.Elem().String() {
		to.SetZero()
	}
}

// slice copies as many entries as the limit allows. A nil slice stays nil.
func (b *bounder) slice(to, from reflect.Value) {
	n, most := from.Len(), b.items
	files := from.Type() == reflect.TypeFor[[]workflow.File]()
	if files {
		most = maxArtifacts
	}
	if n > most {
		n, b.cut = most, true
	}
	if files || from.IsNil() {
		to.Set(from.Slice(0, n))
		return
	}
	to.Set(reflect.MakeSlice(from.Type(), n, n))
	for i := range n {
		b.copy(to.Index(i), from.Index(i))
	}
}

// verdictOnly strips a result to the verdict without its reasons, which always fits.
func verdictOnly(r workflow.Result) workflow.Result {
	l := limits[len(limits)-1]
	return l.apply(workflow.Result{
		Artifact: workflow.Artifact{
			Type: r.Artifact.Type, Feature: markdown.Clip(r.Artifact.Feature, 200),
		},
		Decision: r.Decision, Summary: r.Summary, Failure: r.Failure, Override: r.Override,
		Amends: r.Amends, Unasked: r.Unasked, Head: r.Head, Base: r.Base,
		Engine: r.Engine, Model: r.Model, Effort: r.Effort,
		Iteration: r.Iteration, MaxIterations: r.MaxIterations,
		Tokens: r.Tokens, Duration: r.Duration, Date: r.Date,
		Omitted: []string{"This review was too long for a file; only its verdict is recorded."},
	})
}
