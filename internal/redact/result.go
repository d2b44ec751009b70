package redact

import (
	"path"
	"reflect"
	"strings"

	"workflow-reviewer/internal/workflow"
)

// kept names the fields that stay as they are: files, commits, people and findings are found by
// them.
const kept = " Artifact.Feature Artifact.SpecPath Artifact.Tests Artifact.StateLine Artifact.Advice Artifact.Layout Artifact.Companions " +
	"Artifact.Root File.Path File.Blob File.Content Move.From Move.To Mark.Path Mark.Line Mark.Word Finding.Key Finding.Kind Check.ID " +
	"Finding.Side Finding.Feature Integrity.Verdict Integrity.Approval " +
	"Integrity.Approves Integrity.NotRecorded Proof.Outcome Integrity.TakenOver Requirement.ID " +
	"Requirement.Spec Requirement.File Requirement.Tests Requirement.Code Bundle.Folder ChainGap.File Previous.ID Override.By " +
	"Override.Link Override.Findings Dismissal.By Dismissal.Link Dismissal.Text Failure.Class Result.Amends Result.Head " +
	"Result.Base Result.Effort Result.ContextDigest Result.ReviewPath Result.MovedTo "

// ours names the fields of ids and of our own words, which hold no secret but one that is known.
const ours = " Finding.File FailedTest.File Result.Engine Result.Model BundleDocument.Name BundleDimension.Name " +
	"BundleDimension.Issues ChainStage.Name " +
	"ChainRequirement.ID ChainRequirement.Goals ChainRequirement.Decisions ChainRequirement.Stories ChainGap.Kind ChainGap.IDs "

// Result returns a deep copy of res in which every text that a model, a repository or a
// network wrote went through Text: all but what kept names.
func (r *Redactor) Result(res workflow.Result) workflow.Result { return redacted(r, res) }

// Failure returns f with its texts redacted.
func (r *Redactor) Failure(f workflow.Failure) workflow.Failure { return redacted(r, f) }

// Findings returns a copy of a list with its texts redacted.
func (r *Redactor) Findings(list []workflow.Finding) []workflow.Finding { return redacted(r, list) }

// redacted is a deep copy of a value in which every plain string went through the redactor. Of
// structs it goes into those of package workflow alone, by the rules of by.
func redacted[T any](r *Redactor, v T) (out T) {
	r.copy(reflect.ValueOf(&out).Elem(), reflect.ValueOf(v), r.Text)
	return out
}

// copy writes a deep copy of a value whose strings went through a function. Words of a
// closed list, which have a type of their own, do not.
func (r *Redactor) copy(to, from reflect.Value, text func(string) string) {
	to.Set(from)
	switch {
	case from.Type() == reflect.TypeFor[string]():
		to.SetString(text(from.String()))
	case from.Kind() == reflect.Pointer && !from.IsNil():
		to.Set(reflect.New(from.Type().Elem()))
		r.copy(to.Elem(), from.Elem(), text)
	case from.Kind() == reflect.Slice && !from.IsNil():
		to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			r.copy(to.Index(i), from.Index(i), text)
		}
	case from.Kind() == reflect.Struct && path.Base(from.Type().PkgPath()) == "workflow":
		for i := range from.NumField() {
			r.copy(
				to.Field(i),
				from.Field(i),
				r.by(from.Type().Name()+"."+from.Type().Field(i).Name),
			)
		}
	}
}

// by returns the function that a field's strings go through.
func (r *Redactor) by(field string) func(string) string {
	switch {
	case strings.Contains(kept, " "+field+" "):
		return func(s string) string { return s }
	case strings.Contains(ours, " "+field+" "):
		return r.known.Replace
	}
	return r.Text
}
