package workflow

// Notice explains a decision of the program that a user may wonder about.
type Notice struct {
	Warning bool   `json:"warning,omitempty"` // else it is only information
	Path    string `json:"path,omitempty"`    // the file it speaks of, if any
	Text    string `json:"text"`
}
