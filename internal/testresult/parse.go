package testresult

import (
	"errors"
	"fmt"
	"strings"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/formats"
)

// Parse reads one report, or the literal text AllPassing. The name stands for the report in Sources
// and errors.
func Parse(name string, data []byte) (Summary, error) {
	data = bom.UTF8(data)
	s, err := parse(data)
	if other := formats.Tests(name, data); err != nil && other != "" {
		err = fmt.Errorf("%w: %s", err, other)
	}
	if err != nil {
		return Summary{}, fmt.Errorf("read test results %q: %w", name, err)
	}
	s.Sources = []string{name}
	s.settle()
	return s, nil
}

// parse reads one report by its first bytes: the words "all passing", JUnit XML, else the output of
// go test -json. An empty report is an error.
func parse(data []byte) (Summary, error) {
	text := strings.TrimSpace(string(data[:min(len(data), 4096)]))
	switch {
	case text == "":
		return Summary{}, errors.New("the report is empty")
	case strings.EqualFold(text, AllPassing):
		return Summary{Stated: true}, nil
	case text[0] == '<':
		return parseJUnit(data)
	default:
		return parseGoTest(data)
	}
}
