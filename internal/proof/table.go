// Package proof says what follows for approved tests from what became of their files and from
// running them as they were approved. It judges the evidence of `prove` on its own: no file of it
// is believed in what it concludes.
package proof

// Standing says what became of an approved file, or of what runs it. The zero value is the one that
// blocks.
type Standing int

// The standings, the worst first.
const (
	// Changed: in a way that none of the others names; gone; or what runs it changed.
	Changed Standing = iota
	// Acts: gained something that acts on others: a hook, an exit, an assignment to what is not its
	// own.
	Acts
	// Gained: only gained whole members: tests, helpers, types, imports, rows after the approved
	// ones.
	Gained
	// Same: in its bytes, or in another layout.
	Same
)

// String is the standing in a word.
func (s Standing) String() string { return [...]string{"changed", "acts", "gained", "same"}[s] }

// Outcome is what a run of the approved tests came to.
type Outcome int

// The outcomes.
const (
	NotRun Outcome = iota // there is no evidence that counts, or it decides nothing
	Passed
	Failed
)

// Answer is what follows. The zero value is the one that blocks.
type Answer int

// The answers.
const (
	Breach   Answer = iota
	Fails           // the code fails approved tests
	Question        // no breach: the tests review, or a person, must answer
	Asked           // intact; the tests review is asked about what was added
	Intact
)

var answers = [...][3]Answer{
	//        NotRun, Passed,   Failed
	Changed: {Breach, Question, Breach},
	Acts:    {Breach, Question, Breach},
	Gained:  {Asked, Intact, Fails},
	Same:    {Intact, Intact, Fails},
}

// Of is the answer for a file of a standing, by what running the approved tests came to.
func (s Standing) Of(run Outcome) Answer { return answers[s][run] }
