package workflow

import "time"

// Override is a person's answer for what a review refused. The review counts as
// approved while what it was about stays as it is.
type Override struct {
	By       string    `json:"by"`     // login
	Reason   string    `json:"reason"` // one line, hostile
	Link     string    `json:"link,omitempty"`
	Time     time.Time `json:"time"`
	Findings []string  `json:"findings"` // ids of the issues that were open
}

// Dismissal is one finding that a person set aside. It holds while the lines
// that the finding is about stay as they are.
type Dismissal struct {
	Issue  Finding   `json:"issue"`
	By     string    `json:"by"`
	Reason string    `json:"reason"` // one line, hostile
	Link   string    `json:"link,omitempty"`
	Time   time.Time `json:"time"`
	// Text identifies the lines, "sha256:<hex>", and Lines is how many they are; 0 stands for the
	// whole file, or for all files of the artifact where the finding names none.
	Text  string `json:"text"`
	Lines int    `json:"lines"`
}

// Covers reports whether a line, 0 for none, is one that the dismissal is about.
func (d Dismissal) Covers(line int) bool {
	first := d.Issue.Line
	return d.Lines == 0 && line == 0 || line >= first && line < first+d.Lines
}
