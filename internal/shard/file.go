package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/review"
	"workflow-reviewer/internal/workflow"
)

// Format names the format of a file of results. schema/results.schema.json describes it; a reader
// takes no other.
const Format = "workflow-reviewer/results@1"

// MaxFile is the largest file of results, in bytes; a larger one is refused unread.
const MaxFile = 16 << 20

// FileName is the name of the file with a shard's results.
func FileName(number int) string { return fmt.Sprintf("results-%d.json", number) }

// Results is the content of the file that a shard hands over.
type Results struct {
	Schema string `json:"schema" jsonschema:"enum=workflow-reviewer/results@1"`
	// Version of the program that wrote it.
	Version string `json:"version" jsonschema:"maxLength=100"`
	// The reviewed commit.
	Head string `json:"head" jsonschema:"pattern=^[0-9a-f]{40}$"`
	// The merge base that it was compared with.
	Base string `json:"base" jsonschema:"pattern=^([0-9a-f]{40})?$"`
	// Digest of the plan: of which shard is asked what.
	Plan string `json:"plan" jsonschema:"pattern=^sha256:[0-9a-f]{64}$"`
	// Number of the shard, from 1, and how many the plan has.
	Shard  int `json:"shard" jsonschema:"minimum=1,maximum=256"`
	Shards int `json:"shards" jsonschema:"minimum=1,maximum=256"`
	// Attempt of the workflow run, from 1: of two results the later one counts.
	Attempt int `json:"attempt" jsonschema:"minimum=1,maximum=100000"`
	// The engine that was asked, with its version.
	Engine string `json:"engine" jsonschema:"pattern=^codex [0-9A-Za-z_.+/-]{1\\,60}$"`
	// One entry for each review of the shard.
	Reviews []Entry `json:"reviews" jsonschema:"maxItems=20000"`
}

// Entry holds the answers for one review, or why there are none.
type Entry struct {
	Type      workflow.Type   `json:"type"`
	Feature   string          `json:"feature" jsonschema:"maxLength=4096"`
	Artifacts []workflow.File `json:"artifacts" jsonschema:"maxItems=100000"`
	// Digest of all that the model was asked with.
	Request string `json:"request_digest" jsonschema:"pattern=^sha256:[0-9a-f]{64}$"`
	// What the shard came to: it is compared, not believed.
	Decision workflow.Decision `json:"decision"`
	// What the model answered, without secrets; the second after a request to mend the first.
	Answers []Reply `json:"answers" jsonschema:"maxItems=2"`
	// Why the review did not run to its end, null if it did.
	Failure *Failure `json:"failure" jsonschema:"nullable"`
	// Tokens that the review used, all tries included.
	Tokens     Tokens    `json:"tokens"`
	Date       time.Time `json:"date"`
	DurationMS int64     `json:"duration_ms" jsonschema:"minimum=0,maximum=86400000"`
}

// Reply is one answer of a model.
type Reply struct {
	Text string `json:"text"`
	// The model that answered, as far as known.
	Model string `json:"model" jsonschema:"maxLength=5000"`
	// Warnings of the engine, a line each.
	Notes []string `json:"notes" jsonschema:"maxItems=20"`
}

// Tokens counts the tokens of a review.
type Tokens struct {
	Input     int64 `json:"input" jsonschema:"minimum=0,maximum=1000000000000"`
	Cached    int64 `json:"cached" jsonschema:"minimum=0,maximum=1000000000000"`
	Output    int64 `json:"output" jsonschema:"minimum=0,maximum=1000000000000"`
	Reasoning int64 `json:"reasoning" jsonschema:"minimum=0,maximum=1000000000000"`
}

// Failure tells why a review did not run to its end.
type Failure struct {
	Class   review.Class `json:"class"`
	Message string       `json:"message" jsonschema:"maxLength=5000"`
	Action  string       `json:"action" jsonschema:"maxLength=5000"`
}

// Origin identifies the process and run that wrote a file.
type Origin struct {
	Version string
	Engine  string
	Attempt int // of the run, from 1
}

// Done is one review as its shard came to it.
type Done struct {
	Artifact workflow.Artifact
	Request  string // digest
	review.Exchange
}

// Encode is the file of a shard's results. redact takes secrets out of a text; the replies' texts
// are without them already. What does not fit into MaxFile is handed over as a failure, the longest
// answers first.
func (p Plan) Encode(
	number int, o Origin, done []Done, redact func(string) string,
) ([]byte, error) {
	f := Results{
		Schema: Format, Version: o.Version, Head: p.Head, Base: p.Base, Plan: p.Digest,
		Shard: number, Shards: len(p.Shards),
		Attempt: max(o.Attempt, 1), Engine: strings.Map(engineRune, o.Engine), Reviews: []Entry{},
	}
	for _, d := range done {
		f.Reviews = append(f.Reviews, entry(d, redact))
	}
	for {
		out, err := json.MarshalIndent(f, "", " ")
		if err != nil || len(out) < MaxFile {
			return append(out, '\n'), err
		}
		long := 0
		for i := range f.Reviews {
			if f.Reviews[i].size() > f.Reviews[long].size() {
				long = i
			}
		}
		if f.Reviews[long].size() == 0 {
			return nil, errors.New(
				"encode the results: more than the file may hold; raise max-shards",
			)
		}
		e := &f.Reviews[long]
		e.Answers, e.Decision = []Reply{}, workflow.Error
		e.Failure = &Failure{
			review.Results,
			"The answers do not fit into the file of the shard's results",
			"Raise max-shards.",
		}
	}
}

// entry converts a review's outcome into what a shard hands over: the answers, which hold no
// secrets any more, and notes and failures, redacted and cut.
func entry(d Done, redact func(string) string) Entry {
	e := Entry{
		Type: d.Artifact.Type, Feature: d.Artifact.Feature,
		Artifacts: append([]workflow.File{}, d.Artifact.Files...), Request: d.Request,
		Decision: d.Decision, Answers: []Reply{}, Tokens: Tokens(d.Tokens), Date: d.Date.UTC(),
		DurationMS: d.Duration.Milliseconds(),
	}
	for _, r := range d.Replies {
		notes := []string{}
		for _, n := range r.Notes[:min(len(r.Notes), 20)] {
			notes = append(notes, redact(n))
		}
		e.Answers = append(e.Answers, Reply{r.Text, short(redact(r.Model)), notes})
	}
	if d.Failure != nil {
		e.Failure = &Failure{
			d.Failure.Class,
			short(redact(d.Failure.Message)),
			short(redact(d.Failure.Action)),
		}
	}
	return e
}

// engineRune is tame for names of engines and models, which may hold + and / too.
func engineRune(r rune) rune {
	if r == '+' || r == '/' {
		return r
	}
	return tame(r)
}

// short keeps a message within its bound in any encoding of its characters.
func short(s string) string {
	if r := []rune(s); len(r) > 4000 {
		return string(r[:4000])
	}
	return s
}

// size is the length of an entry's answers in bytes, which the limit of the file is about.
func (e Entry) size() int {
	n := 0
	for _, a := range e.Answers {
		n += len(a.Text)
	}
	return n
}

// exchange converts an entry back into the exchange with the model.
func (e Entry) exchange(engine string) review.Exchange {
	x := review.Exchange{
		Decision: e.Decision, Engine: engine, Tokens: workflow.Tokens(e.Tokens),
		Date: e.Date.UTC().
			Truncate(time.Second),
		Duration: time.Duration(e.DurationMS) * time.Millisecond,
	}
	for _, a := range e.Answers {
		x.Replies = append(x.Replies, review.Reply{Text: a.Text, Model: a.Model, Notes: a.Notes})
	}
	if f := e.Failure; f != nil {
		x.Failure = &review.EngineError{Class: f.Class, Message: f.Message, Action: f.Action}
	}
	return x
}

// about reports whether an entry is of a job as it is planned here.
func (e Entry) about(j review.Job) bool {
	return e.Request == j.Digest && slices.Equal(e.Artifacts, j.Artifact.Files)
}
