package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"workflow-reviewer/internal/change"
)

// The limits of one search, beside its time.
const (
	maxQuery        = 1000      // bytes
	maxMatches      = 10_000    // counted, not shown
	maxSearched     = 256 << 20 // bytes read
	maxSearchedOne  = 2 << 20   // bytes of a file that is searched
	maxSearchedLine = 16 << 10  // bytes of a line that are searched
	maxStates       = 500       // of an expression: its time a byte grows with them
	checkEvery      = 16 << 10  // bytes searched between two looks at the clock
)

// searchArgs are the arguments of the tool search.
type searchArgs struct {
	Query      string `json:"query"                 jsonschema:"the text to find, within one line"`
	Regex      bool   `json:"regex,omitempty"       jsonschema:"query is a regular expression in RE2 syntax"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"match capital and small letters alike"`
	Folder     string `json:"folder,omitempty"      jsonschema:"search only below this folder"`
	Pattern    string `json:"pattern,omitempty"     jsonschema:"glob on the whole path, ** crosses folders"`
	Side       string `json:"side,omitempty"        jsonschema:"head (default) or base"`
	Offset     int    `json:"offset,omitempty"      jsonschema:"how many matches to skip"`
	Limit      int    `json:"limit,omitempty"       jsonschema:"how many matches to show, 100 by default, at most 500"`
}

// search finds the lines that match, in pages. It ends after the tools' timeout with what it has,
// and says so. Matches beyond the page are counted, as far as maxMatches.
func (t *tools) search(ctx context.Context, in searchArgs) (string, error) {
	tree, side, err := t.tree(in.Side)
	if err != nil {
		return "", err
	}
	re, err := compile(in)
	if err != nil {
		return "", err
	}
	entries, err := selectFiles(tree, in.Folder, in.Pattern)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, t.timeout)
	defer cancel()
	s := &scan{tree: tree, re: re}
	s.run(ctx, entries)

	w := newWindow(in.Offset, in.Limit, 100, 500)
	heading := fmt.Sprintf("Matches at the %s:", side)
	return pageOf(
		heading, w, len(s.matches), "matches",
		func(i int) string { return s.matches[i] },
	) + s.notes(), nil
}

// compile is a query as an expression. Its length and the size of its automaton are bounded, so
// that no pattern takes long over a line.
func compile(in searchArgs) (*regexp.Regexp, error) {
	if in.Query == "" {
		return nil, errors.New("query is empty")
	}
	if len(in.Query) > maxQuery {
		return nil, fmt.Errorf("query is longer than %d bytes", maxQuery)
	}
	expr := in.Query
	if !in.Regex {
		expr = regexp.QuoteMeta(expr)
	}
	if in.IgnoreCase {
		expr = "(?i:" + expr + ")"
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("query is not a regular expression in RE2 syntax: %w", err)
	}
	if in.Regex && states(expr) > maxStates {
		return nil, errors.New("the regular expression is too complex: repeat less")
	}
	return re, nil
}

// states is the size of a valid expression's program.
func states(expr string) int {
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0 // cannot happen: it was compiled before
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// scan is one search under way.
type scan struct {
	tree    change.Tree
	re      *regexp.Regexp
	matches []string
	read    int64
	left    int    // files not searched
	why     string // what ended the search early, "" if nothing did
	skipped int    // files too large, binary or not regular
}

// run searches files until one of the limits is reached, and then notes why it stopped and how many
// files are left.
func (s *scan) run(ctx context.Context, entries []change.Entry) {
	for i, e := range entries {
		if s.why = s.full(ctx); s.why != "" {
			s.left = len(entries) - i
			return
		}
		s.file(ctx, e)
	}
}

// full tells which limit the search has reached.
func (s *scan) full(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return "the time limit was reached"
	case len(s.matches) >= maxMatches:
		return fmt.Sprintf("%d matches were found", maxMatches)
	case s.read >= maxSearched:
		return fmt.Sprintf("%d MiB were read", maxSearched>>20)
	default:
		return ""
	}
}

// file searches one file, or counts it as skipped. Of long lines the beginning is searched; a file
// that does not hold the literal is not split.
func (s *scan) file(ctx context.Context, e change.Entry) {
	if e.Size > maxSearchedOne || e.Mode == change.ModeSymlink || e.Mode == change.ModeSubmodule {
		s.skipped++
		return
	}
	b, err := s.tree.ReadFile(e.Path)
	if err != nil || isBinary(b) {
		s.skipped++
		return
	}
	s.read += int64(len(b))
	// Most files hold a plain text nowhere: one pass finds that out.
	if lit, whole := s.re.LiteralPrefix(); whole && !bytes.Contains(b, []byte(lit)) {
		return
	}
	unchecked := 0
	for i, line := range splitLines(b) {
		if unchecked += len(line); unchecked > checkEvery {
			if unchecked = 0; ctx.Err() != nil {
				return
			}
		}
		if s.re.MatchString(line[:min(len(line), maxSearchedLine)]) {
			s.matches = append(s.matches, fmt.Sprintf("%s:%d: %s", name(e.Path), i+1, show(line)))
			if len(s.matches) >= maxMatches {
				return
			}
		}
	}
}

// notes tells what was not searched, for the end of the answer.
func (s *scan) notes() string {
	var n string
	if s.why != "" {
		n += fmt.Sprintf(
			"\n[stopped early because %s: %d files were not searched; narrow it by folder or "+
				"pattern]",
			s.why,
			s.left,
		)
	}
	if s.skipped > 0 {
		n += fmt.Sprintf(
			"\n[%d files not searched: binary, links, submodules, Git LFS pointers, or larger "+
				"than %d MiB]",
			s.skipped,
			maxSearchedOne>>20,
		)
	}
	return n
}
