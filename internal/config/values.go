package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/caarlos0/env/v11"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/workflow"
)

// The kinds of values that inputs hold.
type (
	// Endpoint is the full URL of the Responses API's POST.
	Endpoint string
	// Types is a list of artifact types without repetition, in their order.
	Types []workflow.Type
	// RepoPath is a clean slash-separated path below the repository's root.
	RepoPath string
	// Paths is a list of paths below the root.
	Paths []RepoPath
	// Globs is a list of valid doublestar patterns below the root.
	Globs []string
	// Files is a list of such patterns of files that a job wrote, which may name the workspace by
	// its absolute path.
	Files []string
	// Roots is a list of globs of folders; "" is the repository's root.
	Roots []string
	// TestResults is a list of globs, or the one element AllPassing.
	TestResults []string
	// Word is a name that is safe on a command line: a model, an effort.
	Word string
	// Inline is the lowest severity of findings that are commented on in the diff, "" for none.
	Inline workflow.Severity
	// Label is the name of a GitHub label.
	Label string
	// CommandWord stands before the commands of comments, "/wr".
	CommandWord string
	// SubjectPrefix stands before the subject of a commit.
	SubjectPrefix string
	// Shard is the number of a shard, from 1; 0 is none.
	Shard int
	// Seconds is a time of one review, from 1; 0 is none.
	Seconds int
)

// MostShards is the most shards that a plan may have: GitHub's limit for the jobs of a matrix.
const MostShards = 256

// AllPassing as the only element of TestResults is the user's word that the tests pass.
const AllPassing = "all passing"

// inputParsers parse the inputs' types. Their errors continue a sentence that
// begins with the value: `"x" is not one of a, b`.
func inputParsers() map[reflect.Type]env.ParserFunc {
	return map[reflect.Type]env.ParserFunc{
		reflect.TypeFor[Secret](): parser(parseSecret),
		reflect.TypeFor[bool]():   parser(parseBool),
		reflect.TypeFor[Engine](): parser(func(s string) (Engine, error) { return oneOf(s, Codex, Rules) }),
		reflect.TypeFor[Mode]():   parser(func(s string) (Mode, error) { return oneOf(s, All, Plan, Review, Report, Gate) }),
		reflect.TypeFor[Commit](): parser(func(s string) (Commit, error) {
			return oneOf(s, CommitAuto, CommitAPI, CommitPush, CommitOff)
		}),
		reflect.TypeFor[Endpoint](): parser(parseEndpoint),
		reflect.TypeFor[Types]():    parser(parseTypes), reflect.TypeFor[RepoPath](): parser(parseRepoPath),
		reflect.TypeFor[Paths](): parser(parsePaths), reflect.TypeFor[Globs](): parser(parseGlobs),
		reflect.TypeFor[Files]():       parser(parseFiles),
		reflect.TypeFor[TestResults](): parser(parseTestResults), reflect.TypeFor[Word](): parser(parseWord),
		reflect.TypeFor[Label](): parser(parseLabel), reflect.TypeFor[Inline](): parser(parseInline),
		reflect.TypeFor[Shard](): parser(parseShard), reflect.TypeFor[Seconds](): parser(parseSeconds),
	}
}

// parser makes a parse function one for the inputs.
func parser[T any](parse func(string) (T, error)) env.ParserFunc {
	return func(s string) (any, error) { return parse(s) }
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
func parseInline(s string) (Inline, error) {
	least, ok := map[string]workflow.Severity{
		"true": workflow.Low, "false": "", "high": workflow.High, "medium": workflow.Medium, "low": workflow.Low,
	}[s]
	if !ok {
		return "", errors.New("is not one of true, false, high, medium, low")
	}
	return Inline(least), nil
}

// parseShard reads a shard's number, 1 to MostShards, without sign or leading zeros.
func parseShard(s string) (Shard, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > MostShards || strconv.Itoa(n) != s {
		return 0, fmt.Errorf("is not the number of a shard, 1 to %d", MostShards)
	}
	return Shard(n), nil
}

// mostSeconds is the longest that one review may take: as long as a job of GitHub's.
const mostSeconds = 21_600

// parseSeconds takes whole seconds from 1 to mostSeconds.
func parseSeconds(s string) (Seconds, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > mostSeconds {
		return 0, fmt.Errorf("is not a whole number from 1 to %d", mostSeconds)
	}
	return Seconds(n), nil
}

// parseEndpoint takes https URLs, and http to loopback addresses. URLs with a user or a fragment
// are refused.
func parseEndpoint(s string) (Endpoint, error) {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || u.Fragment != "":
		return "", errors.New("is not the full URL of a Responses API, such as https://api.openai.com/v1/responses")
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
func parseTypes(s string) (Types, error) {
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
func parseRepoPath(s string) (RepoPath, error) {
	clean := path.Clean(s)
	switch {
	case path.IsAbs(s):
		return "", errors.New("is an absolute path; paths are relative to the repository's root")
	case clean == "." || clean == ".." || strings.HasPrefix(clean, "../"):
		return "", errors.New("is not a file below the repository's root")
	case !printable(s):
		return "", errors.New("holds control characters or is not UTF-8")
	}
	return RepoPath(clean), nil
}

// parsePaths reads paths, one a line.
func parsePaths(s string) (Paths, error) {
	var out Paths
	for _, line := range lines(s) {
		p, err := parseRepoPath(line)
		if err != nil {
			return nil, fmt.Errorf("names %s, which %w", shown(line), err)
		}
		out = append(out, p)
	}
	return out, nil
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

// parseGlobs reads patterns that are separated by commas or line ends.
func parseGlobs(s string) (Globs, error) {
	var out Globs
	for _, f := range fields(s) {
		g, err := parseGlob(f)
		if err != nil {
			return nil, fmt.Errorf("names %s, which %w", shown(f), err)
		}
		out = append(out, g)
	}
	return out, nil
}

// parseFiles reads patterns of files of the runner, which may be absolute paths.
func parseFiles(s string) (Files, error) {
	var out Files
	for _, f := range fields(s) {
		g, err := parseGlob(strings.TrimPrefix(f, "/"))
		if err != nil {
			return nil, fmt.Errorf("names %s, which %w", shown(f), err)
		}
		if path.IsAbs(f) {
			g = "/" + g
		}
		out = append(out, g)
	}
	return out, nil
}

// parseTestResults reads patterns, or the words "all passing".
func parseTestResults(s string) (TestResults, error) {
	if strings.EqualFold(s, AllPassing) {
		return TestResults{AllPassing}, nil
	}
	files, err := parseFiles(s)
	return TestResults(files), err
}

var wordPattern = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$`)

// parseWord takes names such as those of models and efforts.
func parseWord(s string) (Word, error) {
	if !wordPattern.MatchString(s) {
		return "", errors.New("is not a name of at most 128 letters, digits and . _ : / -")
	}
	return Word(s), nil
}

var commandPattern = lazyregexp.New(`^/[A-Za-z][A-Za-z0-9_-]{0,30}$`)

// parseCommandWord takes the word before commands, which may be empty.
func parseCommandWord(s string) (CommandWord, error) {
	if s != "" && !commandPattern.MatchString(s) {
		return "", errors.New("is not a slash and a word of at most 31 letters, digits and _ -, such as /wr")
	}
	return CommandWord(s), nil
}

// parseSubjectPrefix takes one line of at most 50 characters. A # would make the subject a comment.
func parseSubjectPrefix(s string) (SubjectPrefix, error) {
	if utf8.RuneCountInString(s) > 50 || !printable(s) || strings.HasPrefix(s, "#") {
		return "", errors.New("is not a text of one line and at most 50 characters that begins a commit message")
	}
	return SubjectPrefix(strings.TrimSpace(s)), nil
}

// parseLabel takes a label's name of at most 50 characters, which is GitHub's limit.
func parseLabel(s string) (Label, error) {
	if utf8.RuneCountInString(s) > 50 || !printable(s) {
		return "", errors.New("is not a label's name of at most 50 characters")
	}
	return Label(s), nil
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

// parseRange reads a range tag, "lowest,highest".
func parseRange(tag string) (lo, hi int64, ok bool) {
	a, b, ok := strings.Cut(tag, ",")
	if !ok {
		return 0, 0, false
	}
	lo, err1 := strconv.ParseInt(a, 10, 64)
	hi, err2 := strconv.ParseInt(b, 10, 64)
	return lo, hi, err1 == nil && err2 == nil
}
