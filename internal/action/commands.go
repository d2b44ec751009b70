package action

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what is read of a comment.
const (
	maxCommands = 10
	maxReason   = 500 // characters
	leastReason = 10
)

// command is one line of a comment by which a person decides.
type command struct {
	verb    string // /override or /dismiss
	target  string // an artifact's name, or a finding's id
	reason  string // one line, hostile
	refusal string // why it cannot be followed, "" if it can
}

// testBug is a question about a test, "/test-bug PATH[:LINE] question".
type testBug struct {
	target  string // as it was written
	path    string
	line    int    // 0 if none is named
	reason  string // one line, hostile
	refusal string // why it cannot be asked, "" if it can
}

// askedReview is what the /review lines of a comment ask for.
type askedReview struct {
	asked bool
	types []workflow.Type // nil for all
	err   error
}

// hiddenText is what GitHub does not show, or shows as it was typed.
var hiddenText = regexp.MustCompile(`(?is)<!--.*?(?:-->|$)|<(?:pre|code|script|style|textarea)\b.*?(?:</(?:pre|code|script|style|` +
	`textarea)>|$)`)

// readCommands reads the commands of a comment: each at the start of a line of
// its own. What is quoted, in code or hidden is none.
func readCommands(body string) (decisions []command, questions []testBug, review askedReview) {
	body = hiddenText.ReplaceAllString(markdown.OwnWords(strings.ReplaceAll(body, "\r\n", "\n")), "")
	all, n := false, 0
	for l := range strings.SplitSeq(body, "\n") {
		words := strings.FieldsFunc(l, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) == 0 || !strings.HasPrefix(l, "/") {
			continue
		}
		switch words[0] {
		case "/review":
			types, err := parseTypes("comment /review",
				strings.FieldsFunc(strings.Join(words[1:], " "), func(r rune) bool { return r == ' ' || r == ',' }))
			all = all || types == nil
			review = askedReview{true, append(review.types, types...), errors.Join(review.err, err)}
		case "/override", "/dismiss":
			decisions = append(decisions, readDecision(words))
		case "/test-bug":
			questions = append(questions, readTestBug(words[1:]))
		default:
			continue
		}
		if n++; n == maxCommands {
			break
		}
	}
	if all {
		review.types = nil
	}
	return decisions, questions, review
}

// readDecision reads "/override TYPE:FEATURE reason" or "/dismiss ID reason".
func readDecision(words []string) command {
	c := command{verb: words[0]}
	words = words[1:]
	if c.verb == "/override" && len(words) > 1 && strings.HasSuffix(words[0], ":") {
		words = append([]string{words[0] + words[1]}, words[2:]...)
	}
	if len(words) == 0 {
		c.refusal = "it names nothing: write `" + syntaxOf(c.verb) + "`"
		return c
	}
	c.target = words[0]
	c.reason = markdown.Line(strings.Join(words[1:], " "), maxReason)
	typ, feature, ok := strings.Cut(c.target, ":")
	t, known := workflow.ParseType(typ)
	switch {
	case c.verb == "/override" && (!ok || !known || feature == ""):
		c.refusal = fmt.Sprintf("it names no artifact: write `%s`, with one of %s", syntaxOf(c.verb), typeNames())
	case c.verb == "/dismiss" && !findingID.MatchString(c.target):
		c.refusal = "it names no finding: an id is eight characters, 0 to 9 and a to f, as reviews show it"
	case utf8.RuneCountInString(c.reason) < leastReason:
		c.refusal = fmt.Sprintf("it gives no reason of %d characters at least: write `%s`", leastReason, syntaxOf(c.verb))
	case c.verb == "/override":
		c.target = string(t) + ": " + feature
	}
	return c
}

var placeInFile = regexp.MustCompile(`^(.+?)(?::(\d{1,7}))?$`)

// readTestBug reads what follows /test-bug.
func readTestBug(words []string) testBug {
	if len(words) == 0 {
		return testBug{refusal: "it names no test: write `/test-bug PATH[:LINE] question`"}
	}
	m := placeInFile.FindStringSubmatch(words[0])
	q := testBug{target: words[0], path: m[1], reason: markdown.Line(strings.Join(words[1:], " "), maxReason)}
	q.line, _ = strconv.Atoi(m[2]) // at most seven digits, or none
	switch {
	case !filepath.IsLocal(q.path):
		q.refusal = "it names no file of the repository"
	case utf8.RuneCountInString(q.reason) < leastReason:
		q.refusal = fmt.Sprintf("it asks nothing in %d characters at least: write `/test-bug PATH[:LINE] question`", leastReason)
	}
	return q
}

var findingID = regexp.MustCompile(`^[0-9a-f]{8}$`)

func syntaxOf(verb string) string {
	if verb == "/override" {
		return "/override TYPE:FEATURE reason"
	}
	return "/dismiss FINDING-ID reason"
}

// refused is the answer to a command that was not followed, on one line.
func (c command) refused(why string) string {
	what := strings.TrimSpace(c.verb + " " + markdown.Line(c.target, 100))
	return "- " + markdown.Code(what) + " was refused: " + strings.TrimRight(why, ".") + "."
}
