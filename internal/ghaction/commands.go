package ghaction

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// Bounds of what is read of a comment.
const (
	maxCommands = 10
	maxReason   = 500 // characters
	leastReason = 10
)

// command is one line of a comment by which a person decides or asks.
type command struct {
	name    string // override or dismiss
	said    string // the command as people write it
	target  string // an artifact's name, a finding's id, or a place in a file
	reason  string // one line, hostile
	refusal string // why it cannot be followed, "" if it can
}

// testBug is a question about a test, "/test-bug PATH[:LINE] question".
type testBug struct {
	command
	path string
	line int // 0 if none is named
}

// askedReview is what the /review lines of a comment ask for.
type askedReview struct {
	asked bool
	types []workflow.Type // nil for all
	err   error
}

// hiddenText is what GitHub does not show, or shows as it was typed.
var hiddenText = lazyregexp.New(
	`(?is)<!--.*?(?:-->|$)|<(?:pre|code|script|style|textarea)\b.*?(?:</(?:pre|code|script|style|` +
		`textarea)>|$)`,
)

// readCommands reads the commands of a comment: each at the start of a line of
// its own, in any letter case. What is quoted, in code or hidden is none.
func readCommands(
	body string, as workflow.Commands,
) (decisions []command, questions []testBug, review askedReview) {
	all, n := false, 0
	for l := range ownLines(body) {
		name, words := readCommand(l, as)
		said := as.Of(name)
		switch name {
		case workflow.CommandReview:
			types, err := parseTypes(
				"comment "+said,
				strings.FieldsFunc(
					strings.Join(words, " "), func(r rune) bool { return r == ' ' || r == ',' },
				),
			)
			all = all || types == nil
			review = askedReview{true, append(review.types, types...), errors.Join(review.err, err)}
		case workflow.CommandOverride, workflow.CommandDismiss:
			decisions = append(decisions, readDecision(command{name: name, said: said}, words))
		case workflow.CommandTestBug:
			questions = append(questions, readTestBug(said, words))
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

// ownLines are the lines of a comment that its author wrote and everybody sees.
func ownLines(body string) iter.Seq[string] {
	return strings.SplitSeq(
		hiddenText.ReplaceAllString(markdown.OwnWords(strings.ReplaceAll(body, "\r\n", "\n")), ""),
		"\n",
	)
}

// holdsCommand reports whether a comment may ask for something, whatever word stands before its
// commands.
func holdsCommand(body string) bool {
	for l := range ownLines(body) {
		if strings.HasPrefix(l, "/") {
			return true
		}
	}
	return false
}

// readCommand splits a line into the name of a command, "" if it is none, and what follows.
func readCommand(line string, as workflow.Commands) (name string, words []string) {
	words = strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if !strings.HasPrefix(line, "/") {
		return "", nil
	}
	if as == "" {
		return strings.ToLower(words[0][1:]), words[1:]
	}
	if len(words) < 2 || !strings.EqualFold(words[0], string(as)) {
		return "", nil
	}
	return strings.ToLower(words[1]), words[2:]
}

// readDecision reads what follows an override, "TYPE:FEATURE reason", or a dismissal, "ID reason".
func readDecision(c command, words []string) command {
	override := c.name == workflow.CommandOverride
	if override && len(words) > 1 && strings.HasSuffix(words[0], ":") {
		words = append([]string{words[0] + words[1]}, words[2:]...)
	}
	if len(words) == 0 {
		c.refusal = "it names nothing: write `" + c.syntax() + "`"
		return c
	}
	c.target = words[0]
	c.reason = markdown.Line(strings.Join(words[1:], " "), maxReason)
	typ, feature, ok := strings.Cut(c.target, ":")
	t, known := workflow.ParseType(typ)
	switch {
	case override && (!ok || !known || feature == ""):
		c.refusal = fmt.Sprintf(
			"it names no artifact: write `%s`, with one of %s", c.syntax(), typeNames(),
		)
	case !override && !workflow.IsFindingID(c.target):
		c.refusal = "it names no finding: an id is eight characters, 0 to 9 and a to f, as " +
			"reviews show it"
	case utf8.RuneCountInString(c.reason) < leastReason:
		c.refusal = fmt.Sprintf(
			"it gives no reason of %d characters at least: write `%s`", leastReason, c.syntax(),
		)
	case override:
		c.target = string(t) + ": " + feature
	}
	return c
}

var placeInFile = lazyregexp.New(`^(.+?)(?::(\d{1,7}))?$`)

// readTestBug reads what follows a question's command.
func readTestBug(said string, words []string) testBug {
	syntax := "`" + said + " PATH[:LINE] question`"
	if len(words) == 0 {
		return testBug{command: command{said: said, refusal: "it names no test: write " + syntax}}
	}
	m := placeInFile.FindStringSubmatch(words[0])
	reason := markdown.Line(strings.Join(words[1:], " "), maxReason)
	q := testBug{command: command{said: said, target: words[0], reason: reason}, path: m[1]}
	q.line, _ = strconv.Atoi(m[2]) // at most seven digits, or none
	switch {
	case !filepath.IsLocal(q.path):
		q.refusal = "it names no file of the repository"
	case utf8.RuneCountInString(q.reason) < leastReason:
		q.refusal = fmt.Sprintf(
			"it asks nothing in %d characters at least: write %s", leastReason, syntax,
		)
	}
	return q
}

// syntax is how the command is written.
func (c command) syntax() string {
	if c.name == workflow.CommandOverride {
		return c.said + " TYPE:FEATURE reason"
	}
	return c.said + " FINDING-ID reason"
}

// refused is the answer to a command that was not followed, on one line.
func (c command) refused(why string) string {
	what := strings.TrimSpace(c.said + " " + markdown.Line(c.target, 100))
	return "- " + markdown.Code(what) + " was refused: " + strings.TrimRight(why, ".") + "."
}
