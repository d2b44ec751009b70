package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"workflow-reviewer/internal/workflow"
)

// Engine says who reviews.
type Engine string

// The engines.
const (
	Codex Engine = "codex" // a model through the codex CLI, beside the built-in checks
	Rules Engine = "rules" // the built-in checks alone
)

// Mode names the part of the job that a process does.
type Mode string

// The modes. All is the whole job in one process, Plan to Report are its parts
// in processes of their own, and Gate asks for the recorded verdicts alone.
const (
	All    Mode = "all"
	Plan   Mode = "plan"
	Review Mode = "review"
	Report Mode = "report"
	Gate   Mode = "gate"
)

// Commit says how reviews, approval records and moves are written back.
type Commit string

// The ways to write back.
const (
	CommitAuto Commit = "auto" // api within a repository, push under act, off for forks
	CommitAPI  Commit = "api"  // through GitHub's API, signed by GitHub
	CommitPush Commit = "push" // git push to origin, never forced
	CommitOff  Commit = "off"  // write nothing back
)

// Inputs are the action's inputs as the environment gives them: typed and each valid by itself, not
// yet merged with the repository's config.
type Inputs struct {
	Token          Secret // GitHub token; may be empty
	APIKey         Secret // model key; may be empty where no model is asked
	Endpoint       Endpoint
	Engine         Engine
	Mode           Mode
	Types          []workflow.Type // that may be reviewed, in their order; never empty
	Paths          []string        // explicit artifact paths; none means what the change touched
	ConfigPath     string          // of the config in the base commit
	Model          string          // "" means the config's, else codex's own default
	Effort         string          // "" means the config's
	MoveAll        *bool           // whether approved artifacts move; nil: the config decides
	Commit         Commit
	Comment        bool           // keep the sticky comment
	InlineComments workflow.Level // lowest that is commented on in the diff, "" for none
	TestResults    []string       // globs of test reports
	AllPassing     bool           // the user's word instead of test reports
	Coverage       []string       // globs of coverage reports
	Evidence       []string       // globs of files that prove wrote
	Findings       []string       // globs of SARIF files of other tools
	MaxParallel    int            // concurrent reviews, at least 1
	Timeout        time.Duration  // of one review
	MaxTokens      int64          // for the whole run, 0 means no limit
	ReReviewLabel  string
	Results        string // folder with the shards' results, for mode report
	Shard          int    // that mode review does, from 1; 0 in other modes
	MaxShards      int    // most shards of a plan, 1 to MostShards
	CodexPath      string
}

// input is one of them: its name in action.yml, what stands for an empty value, and what takes a
// value. The errors of set continue a sentence that begins with the value.
type input struct {
	name, byDefault string
	set             func(value string) error
}

// table lists the inputs. Of two that set the same field the later one wins.
func (in *Inputs) table() []input {
	return []input{
		{"github-token", "", to(&in.Token, parseSecret)},
		{"openai-api-key", "", to(&in.APIKey, parseSecret)},
		{
			"responses-api-endpoint", "https://api.openai.com/v1/responses",
			to(&in.Endpoint, parseEndpoint),
		},
		{"engine", "codex", choice(&in.Engine, Codex, Rules)},
		{"mode", "all", choice(&in.Mode, All, Plan, Review, Report, Gate)},
		{"types", "", to(&in.Types, parseTypes)},
		{"paths", "", to(&in.Paths, each(lines, parseRepoPath))},
		{"config", DefaultPath, to(&in.ConfigPath, parseRepoPath)},
		{"model", "", to(&in.Model, parseWord)},
		{"effort", "", to(&in.Effort, parseWord)},
		{"auto-move", "", func(s string) error {
			in.MoveAll = new(bool)
			return to(in.MoveAll, parseBool)(s)
		}},
		{"commit", "auto", choice(&in.Commit, CommitAuto, CommitAPI, CommitPush, CommitOff)},
		{"comment", "true", to(&in.Comment, parseBool)},
		{"inline-comments", "true", to(&in.InlineComments, parseInline)},
		{"test-results", "", func(s string) error {
			if in.AllPassing = strings.EqualFold(s, AllPassing); in.AllPassing {
				return nil
			}
			return to(&in.TestResults, each(fields, parseFile))(s)
		}},
		{"coverage-report", "", to(&in.Coverage, each(fields, parseFile))},
		{"evidence", "", to(&in.Evidence, each(fields, parseFile))},
		{"findings", "", to(&in.Findings, each(fields, parseFile))},
		{"max-parallel", "4", number(&in.MaxParallel, 1, 64)},
		{"timeout", "300", seconds(&in.Timeout)},
		{"timeout-seconds", "", seconds(&in.Timeout)},
		{"max-tokens", "0", number(&in.MaxTokens, 0, 1_000_000_000_000)},
		{"re-review-label", "re-review", to(&in.ReReviewLabel, parseLabel)},
		{"results", "", to(&in.Results, anyText)},
		{"shard", "", number(&in.Shard, 1, MostShards)},
		{"max-shards", "20", number(&in.MaxShards, 1, MostShards)},
		{"codex-path", "codex", to(&in.CodexPath, anyText)},
	}
}

// to stores what a parser makes of a value. A value that is wrong leaves the field as it was.
func to[T any](field *T, parse func(string) (T, error)) func(string) error {
	return func(s string) error {
		v, err := parse(s)
		if err == nil {
			*field = v
		}
		return err
	}
}

// choice takes one of a closed list of words.
func choice[T ~string](field *T, allowed ...T) func(string) error {
	return to(field, func(s string) (T, error) { return oneOf(s, allowed...) })
}

// number takes a whole number within bounds.
func number[T int | int64](field *T, least, most T) func(string) error {
	return to(field, func(s string) (T, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || n < int64(least) || n > int64(most) {
			return 0, fmt.Errorf("is not a whole number from %d to %d", least, most)
		}
		return T(n), nil
	})
}

// mostSeconds is the longest that one review may take: as long as a job of GitHub's.
const mostSeconds = 21_600

// seconds takes a time as a whole number of seconds.
func seconds(field *time.Duration) func(string) error {
	return func(s string) error {
		var n int
		err := number(&n, 1, mostSeconds)(s)
		if err == nil {
			*field = time.Duration(n) * time.Second
		}
		return err
	}
}

// anyText takes every text.
func anyText(s string) (string, error) { return s, nil }

const inputPrefix = "INPUT_"

// ParseInputs reads the inputs from INPUT_* variables, by the runner's spelling
// (INPUT_GITHUB-TOKEN) or with underscores. Spaces around a value are dropped and an empty value is
// the default. All problems come back joined, one line each; the values that are valid are set even
// then, so that a caller can report the problems with the token it was given. Whether a key is
// needed shows only when the reviews are planned.
func ParseInputs(environ map[string]string) (Inputs, error) {
	vars := inputVars(environ)
	in := Inputs{Types: workflow.Types()}
	var problems []error
	for _, i := range in.table() {
		value := cmp.Or(vars[i.name], i.byDefault)
		if value == "" {
			continue
		}
		if err := i.set(value); err != nil {
			problems = append(problems, &InputError{
				Input: i.name, Err: fmt.Errorf("%s %w", i.shown(value), err),
			})
		}
	}
	if in.Mode == Review && vars["shard"] == "" {
		problems = append(problems, errors.New(
			`input "shard" is empty and mode "review" needs it: pass "${{ matrix.shard }}"`,
		))
	}
	return in, errors.Join(problems...)
}

// shown quotes a value for a message. A key or token is masked.
func (i input) shown(value string) string {
	if slices.Contains([]string{"github-token", "openai-api-key"}, i.name) {
		return masked
	}
	return shown(value)
}

// inputVars keeps the inputs of an environment, trimmed, by their names in action.yml. Of two
// spellings the runner's own counts, unless it is empty. Variables that are no inputs are passed
// over.
func inputVars(environ map[string]string) map[string]string {
	vars := map[string]string{}
	for k, v := range environ {
		name, ok := strings.CutPrefix(strings.ToUpper(k), inputPrefix)
		if !ok {
			continue
		}
		key := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
		own := !strings.Contains(name, "_")
		if v = strings.TrimSpace(v); v != "" && (own || vars[key] == "") {
			vars[key] = v
		}
	}
	return vars
}

// InputError is one input's problem.
type InputError struct {
	Input string // as action.yml spells it
	Err   error  // the problem alone
	flag  string // that the input was given by, "" in a workflow
}

func (e *InputError) Error() string {
	if e.flag != "" {
		return fmt.Sprintf("--%s: %v", e.flag, e.Err)
	}
	return fmt.Sprintf("input %q: %v", e.Input, e.Err)
}

func (e *InputError) Unwrap() error { return e.Err }

// OnTerminal has an error speak of the flags that its inputs were given by.
func OnTerminal(err error, flags map[string]string) error {
	var one *InputError
	several, ok := err.(interface{ Unwrap() []error })
	switch {
	case ok:
		for _, e := range several.Unwrap() {
			_ = OnTerminal(e, flags)
		}
	case errors.As(err, &one):
		one.flag = flags[one.Input]
	default:
		if within := errors.Unwrap(err); within != nil {
			_ = OnTerminal(within, flags)
		}
	}
	return err
}

// typesText lists the artifact types for messages.
func typesText() string {
	var names []string
	for _, t := range workflow.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
