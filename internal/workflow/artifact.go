package workflow

// State is where a spec stands in its lifecycle, the name of its folder.
type State string

// The states of a spec.
const (
	Proposed State = "proposed"
	Todo     State = "todo"
	Doing    State = "doing"
	Done     State = "done"
)

// Artifact is one thing to review: a document, or the files of one type that
// belong to one feature. There is one per (Type, Feature) in a run.
type Artifact struct {
	Type    Type   `json:"type"`
	Feature string `json:"feature"`
	// under review, sorted by path; for bug-fix the report first, then fix, then tests
	Files []File `json:"files"`

	// SpecPath is the feature's spec in the head, "" if there is none. For a spec review it is the
	// artifact itself.
	SpecPath string `json:"spec_path,omitempty"`
	// Tests are the feature's test files in the head that this artifact is measured by
	// (implementation, skeleton, bug-fix), changed or not; for tests, those that are not under
	// review.
	Tests []string `json:"tests,omitempty"`
	// Move is the lifecycle move that an approval allows; nil if it stays.
	Move *Move `json:"move,omitempty"`
	// Mark is the state line that an approval sets; nil if it sets none.
	Mark *Mark `json:"mark,omitempty"`
	// StateLine names the line of the feature's documents that tells their state, and on lines of
	// its own words that it may say and sections that report work; "" where it is called Status and
	// there is nothing else to know.
	StateLine string `json:"state_line,omitempty"`
	// Advice is what is left to do for a person when it is approved.
	Advice string `json:"advice,omitempty"`
	// Layout names the layout that the feature's documents are in, "" for workflow or none.
	Layout string `json:"layout,omitempty"`
	// Companions are documents in the head that the reviewer is shown besides.
	Companions []string `json:"companions,omitempty"`
	// Claims are documents of the feature in which the change says that work is done.
	Claims []Claim `json:"claims,omitempty"`
	// Root is the folder that holds the artifact's reviews/, "" for the repository's own.
	Root string `json:"root,omitempty"`
	// Why says in words how type and feature were found, for the log.
	Why []string `json:"why,omitempty"`
}

// File is one file of an artifact, as it stands in the head.
type File struct {
	Path string `json:"path" yaml:"path"`
	Blob string `json:"blob" yaml:"blob"` // git blob id
	// Content identifies the text of a document apart from what only tells its
	// state, "sha256:<hex>"; "" where only the blob counts.
	Content string `json:"content,omitempty" yaml:"content,omitempty"`
}

// Same reports whether two files hold the same, whatever state they tell.
func (f File) Same(o File) bool {
	return f.Blob != "" && f.Blob == o.Blob || f.Content != "" && f.Content == o.Content
}

// Claim is a document in which a change says that work is done: by ticks, or as a whole.
type Claim struct {
	Path   string `json:"path"`             // in the head
	Before string `json:"before,omitempty"` // where it was in the merge base, "" if it is new
	All    bool   `json:"all,omitempty"`    // all its ticks count, not the new ones alone
	// Done says, as the end of a sentence about the document, how the change calls the feature
	// done, "" if it does not.
	Done        string `json:"done,omitempty"`
	Implemented bool   `json:"implemented,omitempty"` // an implementation of it was approved
	// of the feature, in its first claim that has Done
	Tests  []string `json:"tests,omitempty"`
	Blocks bool     `json:"blocks,omitempty"` // what is not there forbids an approval
}

// Move renames one file.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Mark sets the line of a document that tells its state.
type Mark struct {
	Path string `json:"path"`
	Line string `json:"line"` // its name, as Status
	Word string `json:"word"`
}

// Path is the artifact's name for people: its only or first file.
func (a Artifact) Path() string {
	if len(a.Files) == 0 {
		return ""
	}
	return a.Files[0].Path
}

// Name is "type: feature", unique in a run.
func (a Artifact) Name() string { return string(a.Type) + ": " + a.Feature }

// Lasting is what a file is called in ids, the same wherever the lifecycle moves
// it: the feature's spec and a bug's report go by what they are.
func (a Artifact) Lasting(file string) string {
	switch {
	case a.Type == BugFix && file == a.Path():
		return "the report"
	case file != "" && file == a.SpecPath:
		return "the spec"
	}
	return file
}
