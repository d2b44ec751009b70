package record

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
	"time"

	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/workflow"
)

// fileName holds the time, type, feature and decision that a review's path tells.
type fileName struct {
	typ      workflow.Type
	time     time.Time
	feature  string
	decision workflow.Decision
	said     workflow.Spoken
	decided  bool
	// overridden: the decision is a person's, and counts as approved.
	overridden bool
}

var (
	dateTime = lazyregexp.New(
		`^(\d{4})-?(\d{2})-?(\d{2})` +
			`(?:[Tt_-](\d{2})[-:]?(\d{2})[-:]?(\d{2})(?:[-.]\d{3})?[Zz]?)?(?:-|_|$)`,
	)
	verdict = lazyregexp.New(
		`(?i)(?:^|[-_])(not[-_]?approved|approved|not[-_]?ready|ready|needs[-_]?changes|` +
			`needs[-_]?revision|needs[-_]?work|changes[-_]?requested|rejected|` +
			`needs[-_]?fix(?:es)?|` +
			`major[-_]?issues?|conditional(?:ly[-_]?approved)?|blocked|` +
			`error)(?:[-_]?(?:rev|v|r|round|iteration)?[-_]?\d{1,3})?$`,
	)
)

// parseName reads a path below reviews/. ok is false if the name has neither a date nor a
// decision. It understands the spellings of earlier versions and of other tools.
func parseName(p string) (n fileName, ok bool) {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if t, known := workflow.ParseType(path.Base(dir)); known {
			n.typ = t
			break
		}
	}
	rest := strings.TrimSuffix(path.Base(p), path.Ext(p))
	if before, ok := strings.CutSuffix(rest, "-"+Overridden); ok {
		n.decision, n.decided, n.overridden, rest = workflow.Approved, true, true, before
	} else if m := verdict.FindStringSubmatchIndex(rest); m != nil {
		n.said, n.decided = workflow.ParseSpoken(rest[m[2]:m[3]])
		n.decision, rest = n.said.Decision, rest[:m[0]]
	}
	if m := dateTime.FindStringSubmatch(rest); m != nil {
		if t, valid := clock(m[1:]); valid {
			n.time, rest = t, rest[len(m[0]):]
		}
	}
	n.feature = strings.Trim(rest, "-_")
	if t, known := workflow.ParseType(n.feature); n.typ == "" && known && t.Single() {
		n.typ = t // VISION, SCOPE, ROADMAP
	}
	return n, n.decided || !n.time.IsZero()
}

// clock reads the date and time of a file's name. A name without a time of day has midnight.
func clock(m []string) (time.Time, bool) {
	if m[3] == "" {
		t, err := time.Parse("20060102", m[0]+m[1]+m[2])
		return t, err == nil
	}
	t, err := time.Parse(Layout, m[0]+m[1]+m[2]+"T"+m[3]+m[4]+m[5])
	return t, err == nil
}

// header holds the type, feature, artifact and decision at the top of an old review.
type header struct {
	typ      workflow.Type
	feature  string
	artifact string
	said     workflow.Spoken
	decided  bool
}

var (
	titleLine = lazyregexp.New(
		`(?im)^#\s+([\w -]{1,40}?)\s+Review(?:\s+Report)?\s*:\s*([A-Za-z0-9][\w.-]{0,99})\s*$`,
	)
	artifactName = lazyregexp.New(
		"(?im)^\\W*(?:Artifact|Spec|File|Reviewed " +
			"file)\\W{1,6}([\\w./-]{1,300}\\.\\w{1,10})`?\\s*$",
	)
)

// readHeader reads type, feature, artifact and decision from an old review's text. Of several
// decisions the worst counts.
func readHeader(text string) header {
	var h header
	text = markdown.OwnWords(text)
	if m := titleLine.FindStringSubmatch(text); m != nil {
		h.typ, _ = workflow.ParseType(strings.ReplaceAll(m[1], " ", "-"))
		h.feature = m[2]
	}
	if m := artifactName.FindStringSubmatch(text); m != nil {
		h.artifact = m[1]
	}
	h.said, h.decided = workflow.SpokenIn(text)
	return h
}

// Layout is the time in a review file's name, UTC.
const Layout = "20060102T150405"

// Path returns the path that a review is saved at, relative to the repository's root:
// reviews/<folder>/<time>-<feature>-<decision>.md below the artifact's own. There
// is one (type, feature) in a run, so it is unique in a run.
func Path(r workflow.Result) string {
	name := r.Date.UTC().Format(Layout) + "-" + slug(withoutRoot(r.Artifact)) +
		"-" + Outcome(r) + ".md"
	return path.Join(r.Artifact.Root, "reviews", slug(r.Artifact.Type.Folder()), name)
}

// withoutRoot is a feature's name without the root that holds its reviews.
func withoutRoot(a workflow.Artifact) string {
	dir, name := path.Split(a.Feature)
	if root := path.Clean(dir); a.Root != "" &&
		(a.Root == root || a.Root == path.Join(root, "project-meta")) {
		return name
	}
	return a.Feature
}

var unsafe = lazyregexp.New(`[^A-Za-z0-9._-]+`)

const maxSlug = 100

// Slug is s as part of a file name, unique to s.
func Slug(s string) string { return slug(s) }

// slug is s as part of a file name. A changed name gets a piece of its hash,
// so that two features never share one.
func slug(s string) string {
	safe := strings.Trim(unsafe.ReplaceAllString(s, "-"), "-.")
	safe = safe[:min(len(safe), maxSlug)]
	if safe == s && s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strings.TrimLeft(safe+"-"+hex.EncodeToString(sum[:3]), "-")
}

// Overridden is the decision of a review file by which a person answers for
// what a review refused.
const Overridden = "OVERRIDDEN"

// Outcome is a result's decision as its file's name and front matter spell it.
func Outcome(r workflow.Result) string {
	if r.Override != nil {
		return Overridden
	}
	return r.Decision.String()
}
