package change

// Annotation marks lines of a file of the head, in a check run or in a job's log. Its texts are
// plain.
type Annotation struct {
	Path               string
	StartLine, EndLine int    // from 1; 0 for a whole file, which only a log takes
	Level              string // notice, warning, failure
	Title              string
	Message            string
}

// LineComment is a review comment on lines of the diff's new side.
type LineComment struct {
	Path      string
	Line      int    // the last line, from 1
	StartLine int    // the first of several; 0 or Line for one
	Body      string // Markdown
	Key       string // the same for the same finding on the same text of a line
}
