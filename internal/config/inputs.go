package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"

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
// yet merged with the repository's config. The env tag is the input's name in upper case, the range
// tag its smallest and largest value.
type Inputs struct {
	Token       Secret      `env:"GITHUB-TOKEN"`
	APIKey      Secret      `env:"OPENAI-API-KEY"`
	Endpoint    Endpoint    `env:"RESPONSES-API-ENDPOINT" envDefault:"https://api.openai.com/v1/responses"`
	Engine      Engine      `env:"ENGINE" envDefault:"codex"`
	Mode        Mode        `env:"MODE" envDefault:"all"`
	Types       Types       `env:"TYPES"` // none means all
	Paths       Paths       `env:"PATHS"`
	ConfigPath  RepoPath    `env:"CONFIG" envDefault:".workflow/config.json"`
	Model       Word        `env:"MODEL"`
	Effort      Word        `env:"EFFORT"`
	AutoMove    *bool       `env:"AUTO-MOVE"` // nil: the config decides
	Commit      Commit      `env:"COMMIT" envDefault:"auto"`
	Comment     bool        `env:"COMMENT" envDefault:"true"`
	Inline      Inline      `env:"INLINE-COMMENTS" envDefault:"true"`
	TestResults TestResults `env:"TEST-RESULTS"`
	Coverage    Files       `env:"COVERAGE-REPORT"`
	Evidence    Files       `env:"EVIDENCE"`
	Findings    Files       `env:"FINDINGS"`
	MaxParallel int         `env:"MAX-PARALLEL" envDefault:"4" range:"1,64"`
	Timeout     int         `env:"TIMEOUT" envDefault:"300" range:"1,21600"` // seconds
	TimeLimit   Seconds     `env:"TIMEOUT-SECONDS"`                          // wins over Timeout, its earlier name
	MaxTokens   int64       `env:"MAX-TOKENS" envDefault:"0" range:"0,1000000000000"`
	Label       Label       `env:"RE-REVIEW-LABEL" envDefault:"re-review"`
	Results     string      `env:"RESULTS"`
	Shard       Shard       `env:"SHARD"`
	MaxShards   int         `env:"MAX-SHARDS" envDefault:"20" range:"1,256"`
	CodexPath   string      `env:"CODEX-PATH" envDefault:"codex"`
}

const inputPrefix = "INPUT_"

// ParseInputs reads the inputs from INPUT_* variables, by the runner's spelling
// (INPUT_GITHUB-TOKEN) or with underscores. Spaces around a value are dropped and an empty value is
// the default. All problems come back joined, one line each; the values that are valid are set even
// then, so that a caller can report the problems with the token it was given. Whether a key is
// needed shows only when the reviews are planned.
func ParseInputs(environ map[string]string) (Inputs, error) {
	vars := inputVars(environ)
	var in Inputs
	err := env.ParseWithOptions(&in, env.Options{Environment: vars, Prefix: inputPrefix, FuncMap: inputParsers()})
	problems := describe(err, vars)
	problems = append(problems, checkRanges(in, problems)...)
	if in.Mode == Review && in.Shard == 0 && !slices.ContainsFunc(problems, about("Shard")) {
		problems = append(problems, errors.New(`input "shard" is empty and mode "review" needs it: pass "${{ matrix.shard }}"`))
	}
	return in, errors.Join(problems...)
}

// inputVars keeps the inputs of an environment, trimmed, under the runner's
// spelling. Of two spellings the runner's own counts, unless it is empty.
func inputVars(environ map[string]string) map[string]string {
	vars := map[string]string{}
	for k, v := range environ {
		name, ok := strings.CutPrefix(strings.ToUpper(k), inputPrefix)
		if !ok {
			continue
		}
		key := inputPrefix + strings.ReplaceAll(name, "_", "-")
		own := strings.EqualFold(k, key)
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
	field string // of Inputs
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

// about tells the problems of a field.
func about(field string) func(error) bool {
	return func(e error) bool {
		var p *InputError
		return errors.As(e, &p) && p.field == field
	}
}

// describe turns the parser's errors into lines that name input and value.
func describe(err error, vars map[string]string) []error {
	if err == nil {
		return nil
	}
	var all env.AggregateError
	if !errors.As(err, &all) {
		return []error{fmt.Errorf("read inputs: %w", err)}
	}
	var out []error
	for _, e := range all.Errors {
		var p env.ParseError
		if !errors.As(e, &p) {
			out = append(out, fmt.Errorf("read inputs: %w", e))
			continue
		}
		f, _ := reflect.TypeFor[Inputs]().FieldByName(p.Name)
		out = append(out, inputProblem(f, vars[inputPrefix+f.Tag.Get("env")], p.Err))
	}
	return out
}

// inputProblem is the error of one input, with its value. A secret's value is masked.
func inputProblem(f reflect.StructField, value string, err error) error {
	reason := err.Error()
	if lo, hi, ok := strings.Cut(f.Tag.Get("range"), ","); ok {
		reason = fmt.Sprintf("is not a whole number from %s to %s", lo, hi)
	}
	said := shown(value)
	if f.Type == reflect.TypeFor[Secret]() {
		said = masked
	}
	return &InputError{
		Input: strings.ToLower(f.Tag.Get("env")), field: f.Name, Err: fmt.Errorf("%s %s", said, reason),
	}
}

// checkRanges holds numbers to their range tags, skipping fields that already have a problem.
func checkRanges(in Inputs, known []error) []error {
	var out []error
	v := reflect.ValueOf(in)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		lo, hi, ok := parseRange(f.Tag.Get("range"))
		if n := v.Field(i); ok && !slices.ContainsFunc(known, about(f.Name)) && (n.Int() < lo || n.Int() > hi) {
			out = append(out, inputProblem(f, fmt.Sprint(n.Int()), errors.New("")))
		}
	}
	return out
}

// typesText lists the artifact types for messages.
func typesText() string {
	var names []string
	for _, t := range workflow.Types() {
		names = append(names, string(t))
	}
	return strings.Join(names, ", ")
}
