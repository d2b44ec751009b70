package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// The kinds of values that inputs and the config hold.
type (
	// Endpoint is the full URL of the Responses API's POST.
	Endpoint string
	// RepoPath is a clean slash-separated path below the repository's root.
	RepoPath string
	// Globs is a list of valid doublestar patterns below the root.
	Globs []string
	// Roots is a list of globs of folders; "" is the repository's root.
	Roots []string
	// Word is a name that is safe on a command line: a model, an effort.
	Word string
	// CommandWord stands before the commands of comments, "/wr".
	CommandWord string
	// SubjectPrefix stands before the subject of a commit.
	SubjectPrefix string
)

// MostShards is the most shards that a plan may have: GitHub's limit for the jobs of a matrix.
const MostShards = 256

// AllPassing is the user's word that the tests pass, in place of test results.
const AllPassing = "all passing"

// each parses every entry of a list. Its error names the entry.
func each(
	split func(string) []string, parse func(string) (string, error),
) func(string) ([]string, error) {
	return func(s string) (out []string, err error) {
		for _, entry := range split(s) {
			v, err := parse(entry)
			if err != nil {
				return nil, fmt.Errorf("names %s, which %w", shown(entry), err)
			}
			out = append(out, v)
		}
		return out, nil
	}
}

// oneOf is the value if it is one of those that are allowed. The error lists them.
func oneOf[T ~string](s string, allowed ...T) (T, error) {
	if slices.Contains(allowed, T(s)) {
		return T(s), nil
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	return "", fmt.Errorf("is not one of %s", strings.Join(names, ", "))
}

// parseBool takes true and false in lower case alone, as the documentation says them.
func parseBool(s string) (bool, error) {
	switch s {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, errors.New("is not one of true, false")
}

// parseInline reads the lowest severity of issues that become comments, "" for none.
func parseInline(s string) (workflow.Level, error) {
	least, ok := map[string]workflow.Level{
		"true": workflow.Note, "false": "", "high": workflow.Block, "medium": workflow.Warn,
		"low": workflow.Note,
	}[s]
	if !ok {
		return "", errors.New("is not one of true, false, high, medium, low")
	}
	return least, nil
}

// parseEndpoint takes https URLs, and http to loopback addresses. URLs with a user or a fragment
// are refused.
func parseEndpoint(s string) (Endpoint, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Fragment != "":
		return "", errors.New(
			"is not the full URL of a Responses API, such as https://api.openai.com/v1/responses",
		)
	case u.User != nil:
		return "", errors.New("holds a user name or password; pass the key as openai-api-key")
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return Endpoint(s), nil
	}
	return "", errors.New("is neither https nor http to a loopback address")
}

// String is the URL.
func (e Endpoint) String() string { return string(e) }

// complete reports whether the endpoint looks like the full URL it must be.
func (e Endpoint) complete() bool {
	u, err := url.Parse(string(e))
	return err == nil && strings.HasSuffix(strings.TrimSuffix(u.Path, "/"), "/responses")
}

// loopback reports whether a host is this machine. Names other than localhost are not resolved.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// parseTypes reads a list of types in any spelling, and returns them in their usual order, each
// once.
func parseTypes(s string) ([]workflow.Type, error) {
	given := map[workflow.Type]bool{}
	for _, name := range fields(s) {
		t, ok := workflow.ParseType(name)
		if !ok {
			return nil, fmt.Errorf("names %s, which is not one of %s", shown(name), typesText())
		}
		given[t] = true
	}
	return slices.DeleteFunc(workflow.Types(), func(t workflow.Type) bool { return !given[t] }), nil
}

// parseRepoPath cleans a path from the repository's root. Absolute paths and those that leave it
// are refused.
func parseRepoPath(s string) (string, error) {
	clean := path.Clean(s)
	switch {
	case path.IsAbs(s):
		return "", errors.New("is an absolute path; paths are relative to the repository's root")
	case clean == "." || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", errors.New("is not a file below the repository's root")
	case !printable(s):
		return "", errors.New("holds control characters or is not UTF-8")
	}
	return clean, nil
}

// parseGlob checks one pattern; paths in it obey the rules of parseRepoPath.
func parseGlob(s string) (string, error) {
	if _, err := parseRepoPath(s); err != nil {
		return "", err
	}
	if !doublestar.ValidatePattern(s) {
		return "", errors.New("is not a valid glob pattern")
	}
	return strings.TrimPrefix(s, "./"), nil
}

// parseFile checks a pattern of files of the runner, which may be an absolute path.
func parseFile(s string) (string, error) {
	below, absolute := strings.CutPrefix(s, "/")
	g, err := parseGlob(below)
	if absolute {
		g = "/" + g
	}
	return g, err
}

var wordPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$`)

// parseWord takes names such as those of models and efforts.
func parseWord(s string) (string, error) {
	if !wordPattern.MatchString(s) {
		return "", errors.New("is not a name of at most 128 letters, digits and . _ : / -")
	}
	return s, nil
}

var commandPattern = lazyregexp.New(`^/[A-Za-z][A-Za-z0-9_-]{0,30}$`)

// parseCommandWord takes the word before commands, which may be empty.
func parseCommandWord(s string) (string, error) {
	if s != "" && !commandPattern.MatchString(s) {
		return "", errors.New(
			"is not a slash and a word of at most 31 letters, digits and _ -, such as /wr",
		)
	}
	return s, nil
}

// parseSubjectPrefix takes one line of at most 50 characters. A # would make the subject a comment.
func parseSubjectPrefix(s string) (string, error) {
	if utf8.RuneCountInString(s) > 50 || !printable(s) || strings.HasPrefix(s, "#") {
		return "", errors.New(
			"is not a text of one line and at most 50 characters that begins a commit message",
		)
	}
	return strings.TrimSpace(s), nil
}

// parseLabel takes a label's name of at most 50 characters, which is GitHub's limit.
func parseLabel(s string) (string, error) {
	if utf8.RuneCountInString(s) > 50 || !printable(s) {
		return "", errors.New("is not a label's name of at most 50 characters")
	}
	return s, nil
}

// lines are the non-empty lines of a text, trimmed.
func lines(s string) []string {
	var out []string
	for line := range strings.Lines(s) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// fields splits at line ends and at commas outside braces, as a comma inside braces belongs to a
// glob.
func fields(s string) []string {
	depth := 0
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '{':
			depth++
		case r == '}' && depth > 0:
			depth--
		case r == '\n':
			depth = 0
		case r == ',' && depth == 0:
			return '\n'
		}
		return r
	}, s)
	return lines(s)
}

// printable reports whether a text is UTF-8 without control characters.
func printable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

var userInfo = lazyregexp.New(`//[^/?#]*@`)

// shown quotes a value for a message on one line, cut to 100 characters and without what stands
// before an @ in a URL.
func shown(s string) string {
	s = userInfo.ReplaceAllString(s, "//***@")
	if r := []rune(s); len(r) > 100 {
		s = string(r[:100]) + "…"
	}
	return strconv.Quote(s)
}
