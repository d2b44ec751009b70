package review

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"workflow-reviewer/internal/change"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review/answers"
	"workflow-reviewer/internal/review/foreign"
	"workflow-reviewer/internal/review/prompt"
	"workflow-reviewer/internal/workflow"
)

// TestQuestion is what a blocked implementer asks: whether a test is wrong.
type TestQuestion struct {
	Tree     change.Tree // of the head
	Path     string      // the test file
	Name     string      // the test's name, "" if it is not given
	Line     int         // a line of the test, 0 if it is not given
	Reason   string      // hostile, as are the quotes
	Quotes   []string    // of the spec and the test, by the implementer
	SpecPath string      // "" if the feature has none
	Model    string
}

// TestAnswer is the answer to a TestQuestion.
type TestAnswer struct {
	Answer       TestFinding
	Explanation  string
	SpecPath     string // "" if there is no spec
	SpecLine     int    // from 1; 0 if the spec says nothing on it
	SpecQuote    string
	ShouldDemand string // of TestHasBug alone
	Tokens       workflow.Tokens
}

// SpecReference is the place in the spec, "path:line" or "path"; "" without a spec.
func (a TestAnswer) SpecReference() string {
	if a.SpecLine == 0 {
		return a.SpecPath
	}
	return fmt.Sprintf("%s:%d", a.SpecPath, a.SpecLine)
}

// TestFinding says whether a test is wrong.
type TestFinding string

// The findings.
const (
	TestHasBug    TestFinding = "TEST_HAS_BUG"
	TestIsCorrect TestFinding = "TEST_IS_CORRECT"
	SpecUnclear   TestFinding = "SPEC_UNCLEAR"
)

// TestQuestionTimeout bounds the answer of the model to a TestQuestion. With the
// start of the engine and the reading of the repository it stays below 30 s.
const TestQuestionTimeout = 25 * time.Second

// maxAsked caps what an implementer writes, in characters.
const maxAsked = 4_000

// AskAboutTest has a question answered by one turn of the model, at low effort and within
// TestQuestionTimeout. What finds fault with the test counts only with words that stand in the
// spec; without them, and without a spec, the answer is SpecUnclear. An error is one of the
// question, or an *EngineError.
func AskAboutTest(ctx context.Context, reviewer Reviewer, q TestQuestion) (TestAnswer, error) {
	test, err := readAsked(q.Tree, q.Path, "Test file")
	if err != nil {
		return TestAnswer{}, err
	}
	if q.SpecPath == "" {
		return TestAnswer{
			Answer: SpecUnclear,
			Explanation: "No spec was found that this test belongs to, so that nothing says what it " +
				"should demand.",
		}, nil
	}
	spec, err := readAsked(q.Tree, q.SpecPath, "Spec")
	if err != nil {
		return TestAnswer{}, err
	}
	if reviewer == nil {
		return TestAnswer{}, failure(Setup,
			"Whether a test is wrong is a question to a model, and there is none to ask",
			"Set OPENAI_API_KEY and take the engine codex, or file an RFC.")
	}
	limited, cancel := context.WithTimeout(ctx, TestQuestionTimeout)
	defer cancel()
	reply, err := reviewer.Review(limited, q.request(test, spec))
	if err != nil {
		return TestAnswer{}, classify(ctx, limited, err, TestQuestionTimeout)
	}
	out, err := q.read(reply.Text, spec)
	out.Tokens = reply.Tokens
	return out, err
}

// readAsked reads a file that a question names. Its errors say what to name instead.
func readAsked(tree change.Tree, path, what string) ([]byte, error) {
	data, err := tree.ReadFile(path)
	if prompt.IsNotFound(err) {
		return nil, fmt.Errorf("%s not found at %s: name its path from the repository's root",
			what, foreign.Label(path))
	}
	if why := prompt.Unreadable(data, err); why != "" {
		return nil, fmt.Errorf("%s %s cannot be read: %s", what, foreign.Label(path), why)
	}
	return data, nil
}

// request is the one question to the model.
func (q TestQuestion) request(test, spec []byte) Request {
	about := "Question, about " + foreign.Label(q.Path)
	if q.Name != "" {
		about += ", test " + markdown.Line(q.Name, 200)
	}
	if q.Line > 0 {
		about += fmt.Sprintf(", line %d", q.Line)
	}
	r := prompt.Reader{Left: prompt.Max / 2}
	docs := []prompt.Document{r.Fit(prompt.Document{Heading: about}, q.Reason, maxAsked)}
	for _, quote := range q.Quotes {
		if strings.TrimSpace(quote) != "" {
			d := prompt.Document{Heading: "What the implementer quotes"}
			docs = append(docs, r.Fit(d, quote, maxAsked))
		}
	}
	of := prompt.Document{Heading: "Spec: " + foreign.Label(q.SpecPath), Path: q.SpecPath}
	docs = append(docs, r.Fit(of, prompt.Numbered(spec), prompt.MaxArtifact))
	of = prompt.Document{Heading: "Test file: " + foreign.Label(q.Path), Path: q.Path}
	docs = append(docs, r.Fit(of, prompt.Numbered(test), prompt.MaxArtifact))
	return Request{
		Name: "question about " + q.Path, Instructions: prompt.BuiltIn("test-question"),
		Prompt: prompt.Text("documents", docs, prompt.Max),
		Schema: json.RawMessage(testAnswerSchema), Model: q.Model, Effort: "low",
		Head: q.Tree.Commit(), MergeBase: q.Tree.Commit(),
	}
}

// testAnswerSchema is what the model's answer must look like.
const testAnswerSchema = `{
  "type": "object", "additionalProperties": false,
  "required": ["spec_quote", "answer", "explanation", "should_demand"],
  "properties": {
    "spec_quote": {"type": "string"},
    "answer": {"type": "string", "enum": ["TEST_HAS_BUG", "TEST_IS_CORRECT", "SPEC_UNCLEAR"]},
    "explanation": {"type": "string"},
    "should_demand": {"type": ["string", "null"]}
  }
}`

// read holds an answer to its schema and to the spec.
func (q TestQuestion) read(text string, spec []byte) (TestAnswer, error) {
	var in struct {
		Quote        string      `json:"spec_quote"`
		Answer       TestFinding `json:"answer"`
		Explanation  string      `json:"explanation"`
		ShouldDemand *string     `json:"should_demand"`
	}
	if empty := emptyAnswer(text); empty != nil {
		return TestAnswer{}, empty
	}
	err := json.Unmarshal([]byte(answers.Unfence(text)), &in)
	if !slices.Contains([]TestFinding{TestHasBug, TestIsCorrect, SpecUnclear}, in.Answer) {
		err = errors.Join(err, errors.New("it is none of the three answers"))
	}
	if err != nil || len(text) > answers.MaxSize {
		e := failure(Answer, "The model's answer could not be used", "Ask again, or file an RFC.")
		e.Err = err
		return TestAnswer{}, e
	}
	out := TestAnswer{
		Answer:      in.Answer,
		Explanation: foreign.Block(in.Explanation),
		SpecPath:    q.SpecPath,
	}
	out.SpecLine, out.SpecQuote = quotedFrom(spec, in.Quote)
	if in.ShouldDemand != nil && out.Answer == TestHasBug {
		out.ShouldDemand = foreign.Block(*in.ShouldDemand)
	}
	if out.SpecLine == 0 && out.Answer != SpecUnclear {
		out.Answer, out.ShouldDemand = SpecUnclear, ""
		out.Explanation = "The reviewer called it " + string(in.Answer) +
			" without words that stand in the spec, which counts for neither side. It said: " +
			out.Explanation
	}
	return out, nil
}

// shortestQuote is the least that a quote must hold, in bytes: a word or two stand in any spec.
const shortestQuote = 8

// quotedFrom finds the first line of the spec at which a quote begins, 0 for none. A quote may run
// over a line's end.
func quotedFrom(spec []byte, quote string) (line int, text string) {
	squeeze := func(s string) string {
		return strings.ToLower(strings.Join(strings.Fields(s), " "))
	}
	wanted := squeeze(quote)
	before, _, isThere := strings.Cut(squeeze(string(spec)), wanted)
	if len(wanted) < shortestQuote || !isThere {
		return 0, ""
	}
	words := len(strings.Fields(before))
	if before != "" && !strings.HasSuffix(before, " ") {
		words-- // the quote begins within a word
	}
	for l := range strings.Lines(string(spec)) {
		line++
		if words -= len(strings.Fields(l)); words < 0 {
			break
		}
	}
	return line, markdown.Line(quote, 500)
}
