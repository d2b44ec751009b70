package report

// HTML is report.html: one file without scripts and without anything loaded
// from elsewhere.
func (r Report) HTML() ([]byte, error) { return nil, nil }
