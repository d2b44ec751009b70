// Package scope decides whether the gate of a commit may be green. GitHub hangs check runs on
// commits, and of one name the newest counts; but one commit may be judged in several scopes: as
// the head of two pull requests, by jobs that split types, paths or config, by a push beside a pull
// request. This package names the scopes, reads back which of them stand on a commit, and combines
// their verdicts. It does no input or output.
package scope

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// Scope identifies the subject of one verdict on a commit.
type Scope struct {
	Pull   int    // number of the pull request, 0 for an event without one
	Event  string // of a scope without a pull request
	Branch string // that was pushed, dispatched on or queued, without a pull request
	Base   string // branch that the change is for; for a push the commit before it
	Types  []workflow.Type
	Paths  []string
	Config string // "" for the default one
}

// Key identifies the scope: 32 hexadecimal digits.
func (s Scope) Key() string { return digest(s) }

// View identifies what of a pull request the scope is about, whatever its base: 32 hexadecimal
// digits, "" for the whole of it under the default config.
func (s Scope) View() string {
	if s.Whole() {
		return ""
	}
	return digest(Scope{Types: s.Types, Paths: s.Paths, Config: s.Config})
}

// Whole reports whether the scope is a change as a whole under the default config.
func (s Scope) Whole() bool { return len(s.Types)+len(s.Paths) == 0 && s.Config == "" }

// String names the scope for people, in one line: "#12 into `twin` (types spec, tests)".
func (s Scope) String() string {
	var name string
	switch {
	case s.Pull != 0:
		name = fmt.Sprintf("#%d into `%s`", s.Pull, s.Base)
	case s.Event == "push":
		name = fmt.Sprintf("the push to `%s`", s.Branch)
	case s.Event == "merge_group":
		name = fmt.Sprintf("the merge group for `%s`", s.Base)
	default:
		name = fmt.Sprintf("the run on `%s`", s.Branch)
	}
	if part := s.Part(); part != "" {
		name += " (" + part + ")"
	}
	return name
}

// Part names what of a change the scope is about, "" for the whole.
func (s Scope) Part() string {
	var parts []string
	if len(s.Types) > 0 {
		parts = append(parts, "types "+joined(s.Types))
	}
	if len(s.Paths) > 0 {
		parts = append(parts, "paths "+joined(s.Paths))
	}
	if s.Config != "" {
		parts = append(parts, "config "+s.Config)
	}
	return strings.Join(parts, "; ")
}

// joined lists words for people, separated by commas.
func joined[T ~string](all []T) string {
	words := make([]string, 0, len(all))
	for _, a := range all {
		words = append(words, string(a))
	}
	return strings.Join(words, ", ")
}

// digest is of the scope in one form: what is the same set in another order is the same scope.
func digest(s Scope) string {
	s.Types, s.Paths = slices.Sorted(slices.Values(s.Types)), slices.Sorted(slices.Values(s.Paths))
	data, _ := json.Marshal(s) // strings and a number: cannot fail
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// Mark is the content of the external id of the gate's check run.
type Mark struct {
	Key  string // of the scope
	Name string // of the scope, for people
	Pull int
	Base string
	Run  string // id of the workflow run
	Try  int    // attempt of the workflow run
	Job  string // id of the job in the workflow
	Plan bool   // opened by mode plan, for mode report to complete
	From string // the commit that the run wrote reviews on top of, "" for a head that it reviewed
	// makes the mark unique, so that a check run is found whose creation's answer was lost
	ID string
	// Verdict of the scope; it is no more than an ERROR until Done.
	Verdict workflow.Decision
	Done    bool
	Waits   bool // the gate is not green because another scope is under way
}

// maxName bounds the name in a mark, in bytes; the key stands for the rest.
const maxName = 120

// Of is the mark of a scope.
func Of(s Scope) Mark {
	name := s.String()
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "") + "…"
	}
	return Mark{Key: s.Key(), Name: name, Pull: s.Pull, Base: s.Base}
}

// open stands for the verdict of a check run that is under way.
const open = "OPEN"

// texts are the fields of a mark that are texts, by their names in its form.
func (m *Mark) texts() map[string]*string {
	return map[string]*string{
		"scope": &m.Key, "for": &m.Name, "base": &m.Base, "run": &m.Run, "job": &m.Job,
		"from": &m.From, "id": &m.ID,
	}
}

// String is the form for an external id: the verdict, a colon, and the fields as a query.
func (m Mark) String() string {
	v := url.Values{}
	for name, text := range m.texts() {
		if *text != "" {
			v.Set(name, *text)
		}
	}
	if m.Pull != 0 {
		v.Set("pull", strconv.Itoa(m.Pull))
	}
	if m.Try > 1 {
		v.Set("try", strconv.Itoa(m.Try))
	}
	if m.Plan {
		v.Set("stage", "plan")
	}
	if m.Waits {
		v.Set("waits", "1")
	}
	verdict := open
	if m.Done {
		verdict = m.Verdict.String()
	}
	return verdict + ":" + v.Encode()
}

var (
	key    = lazyregexp.New(`^[0-9a-f]{32}$`)
	commit = lazyregexp.New(`^[0-9a-f]{40}$`)
)

// Parse reads a mark back. ok is false for an external id of another form, such as that of an
// earlier release.
func Parse(externalID string) (m Mark, ok bool) {
	verdict, query, _ := strings.Cut(externalID, ":")
	v, err := url.ParseQuery(query)
	if err != nil || !key.MatchString(v.Get("scope")) {
		return Mark{}, false
	}
	for name, text := range m.texts() {
		*text = v.Get(name)
	}
	m.Plan, m.Waits = v.Get("stage") == "plan", v.Get("waits") != ""
	m.Pull, _ = strconv.Atoi(v.Get("pull")) // 0 is no pull request
	m.Try, _ = strconv.Atoi(v.Get("try"))   // 0 is the first attempt
	if m.From != "" && !commit.MatchString(m.From) {
		return Mark{}, false
	}
	if verdict == open {
		return m, true
	}
	m.Done = m.Verdict.UnmarshalText([]byte(verdict)) == nil
	return m, m.Done
}
