// Package advice says what the services that a run depends on mean when they refuse: why, whether
// it passes by itself, and what to do about it. What they say stands in one table each, which the
// documentation shows too.
package advice

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Answer is the refusal of the other side.
type Answer struct {
	Status  int      // of HTTP; 0 inside a stream, and where none came
	Codes   []string // of the error: code and type
	Message string
	Call    string // method and path
}

// Reason is one entry of a table. It fits an answer whose status and call it names and whose code
// or message it knows.
type Reason struct {
	ID      string
	Status  []int  // one of these; none: any
	Call    string // a part of method and path
	Code    []string
	Says    string // pattern of the message, letter case aside
	Example string // a message that was really given
	Silent  bool   // the message is not repeated: it may hold a part of the key
	Class   string // what kind of failure it is to the program
	Means   string
	Do      string

	says *regexp.Regexp
}

// Table holds the reasons of one service; the first that fits counts.
type Table []Reason

//go:embed github.yaml
var github []byte

//go:embed model.yaml
var model []byte

// GitHub is the table of GitHub's answers.
var GitHub = sync.OnceValue(func() Table { return read("github.yaml", github) })

// Model is the table of the answers of endpoints of the Responses API.
var Model = sync.OnceValue(func() Table { return read("model.yaml", model) })

func read(name string, data []byte) Table {
	var t Table
	if err := yaml.Unmarshal(data, &t); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // a test reads it
	}
	for i, r := range t {
		if r.Says != "" {
			t[i].says = regexp.MustCompile("(?i)" + r.Says)
		}
	}
	return t
}

// Find returns the reason for an answer. The last entry of each table fits every answer.
func (t Table) Find(a Answer) Reason {
	return t[slices.IndexFunc(t, func(r Reason) bool { return r.fits(a) })]
}

func (r Reason) fits(a Answer) bool {
	return (len(r.Status) == 0 || slices.Contains(r.Status, a.Status)) &&
		strings.Contains(a.Call, r.Call) && r.knows(a)
}

// knows reports whether the code or the message is the reason's; one that names neither goes by the
// status.
func (r Reason) knows(a Answer) bool {
	if len(r.Code) == 0 && r.says == nil {
		return true
	}
	coded := slices.ContainsFunc(a.Codes, func(c string) bool { return slices.Contains(r.Code, c) })
	return coded || r.says != nil && r.says.MatchString(a.Message)
}
