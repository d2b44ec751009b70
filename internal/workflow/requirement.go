package workflow

// Requirement is one acceptance criterion of a spec with what the review says of it.
type Requirement struct {
	ID   string `json:"id"` // unique in its review
	Text string `json:"text"`
	Spec string `json:"spec"` // "path:line" that states it
	// Changed says how the pull request removes, weakens or changes what the base
	// demands, "" if it does not; Text is then the base's.
	Changed string            `json:"changed,omitempty"`
	Status  RequirementStatus `json:"status"`
	File    string            `json:"file,omitempty"` // in the head, what shows the status
	Line    int               `json:"line,omitempty"` // from 1; 0 = the whole file
	Reason  string            `json:"reason"`
	// Tests and Code are places, "path:line", that name it by its id or its words; found without a
	// model.
	Tests []string `json:"tests"`
	Code  []string `json:"code"`
}

// RequirementStatus is how a requirement stands.
type RequirementStatus string

// The statuses. Where no model was asked there is none: "".
const (
	Met        RequirementStatus = "met"
	NotMet     RequirementStatus = "not met"
	CannotTell RequirementStatus = "cannot tell"
)
