package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"workflow-reviewer/internal/conventions"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/requirements"
	"workflow-reviewer/internal/workflow"
)

// testText is the text of the feature's tests, those under review and the others of the head.
func (s *subject) testText() string { return s.textOf(append(s.testPaths(), s.Artifact.Tests...)) }

// testPaths are the tests under review.
func (s *subject) testPaths() (out []string) {
	for _, f := range s.tests() {
		out = append(out, f.path)
	}
	return out
}

func (s *subject) textOf(files []string) string {
	slices.Sort(files)
	var b strings.Builder
	for _, file := range slices.Compact(files) {
		if text, trouble := s.read(file); trouble == "" {
			b.Write(text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// headTests are the first test files of the head, as many as are read.
func (s *subject) headTests() (out []string, err error) {
	entries, err := s.Set.HeadTree.List("")
	for _, e := range entries {
		if conventions.IsTest(e.Path) && len(out) < maxTestsRead {
			out = append(out, e.Path)
		}
	}
	return out, err
}

// firstTest is the first file under review that is a test by its name.
func (s *subject) firstTest() string {
	for _, f := range s.tests() {
		if conventions.IsTestName(f.path) {
			return f.path
		}
	}
	return s.Artifact.Path()
}

var (
	idAt = lazyregexp.New(`[A-Za-z]{1,10}[-_ ]?\d{1,4}(?:[._]\d{1,3})*`)
	idTo = strings.NewReplacer("-", "", "_", "", " ", "", ".", "")
)

// familyOf is what an id begins with, and keyOf the whole, in one spelling: FR-003
// and test_fr003 are FR3 of the family FR.
func familyOf(id string) string {
	return strings.ToUpper(idTo.Replace(id[:max(0, strings.IndexAny(id, "0123456789"))]))
}

func keyOf(id string) string {
	return familyOf(id) + strings.TrimLeft(strings.ReplaceAll(id[max(0, strings.IndexAny(id, "0123456789")):], "_", "."), "0")
}

var idRange = lazyregexp.New(`([A-Za-z]{1,10})[-_ ]?(\d{1,3})\s*(?:–|—|-|to|\.\.\.?|through)\s*(?:[A-Za-z]{1,10}[-_ ]?)?(\d{1,3})\b`)

// citedIn are the ids that a text cites, alone or in a range as AC11–AC17.
func citedIn(text string) map[string]bool {
	cited := map[string]bool{}
	for _, id := range idAt.FindAllString(text, -1) {
		cited[keyOf(id)] = true
	}
	for _, m := range idRange.FindAllStringSubmatch(text, -1) {
		from, to := figure(m[2]), figure(m[3])
		for n := from; n <= to && n < from+maxRange; n++ {
			cited[keyOf(fmt.Sprintf("%s%d", m[1], n))] = true
		}
	}
	return cited
}

func figure(digits string) int {
	n, _ := strconv.Atoi(digits) // a pattern matched them
	return n
}

// maxRange is how many ids a range may stand for.
const maxRange = 100

// Ids of a family are missed where tests cite this many of it, and this share.
const (
	minCited      = 2
	minCitedShare = 3 // one in three
)

// uncitedCriteria are the criteria that no test cites by their ids, in families of ids that tests do cite.
func uncitedCriteria(s *subject, spec *document) []workflow.Issue {
	cited := citedIn(s.testText())
	families := map[string]int{}
	var missing []requirements.Requirement
	for _, r := range spec.criteria {
		switch key := keyOf(r.ID); {
		case r.Kind != requirements.Identified:
		case cited[key]:
			families[familyOf(r.ID)]++
		default:
			missing = append(missing, r)
		}
	}
	missing = slices.DeleteFunc(slices.Clone(missing), func(r requirements.Requirement) bool {
		cited := families[familyOf(r.ID)]
		return cited < minCited || minCitedShare*cited < cited+count(missing, familyOf(r.ID))
	})
	own := citedIn(s.textOf(s.testPaths()))
	cites := func(r requirements.Requirement) bool { return own[keyOf(r.ID)] }
	if _, changed := s.changed[spec.path]; len(missing) == 0 || !changed && !slices.ContainsFunc(spec.criteria, cites) {
		return nil // what tests of something else leave out is no news
	}
	all, err := s.headTests()
	if err != nil {
		return nil
	}
	everywhere := citedIn(s.textOf(all))
	missing = slices.DeleteFunc(missing, func(r requirements.Requirement) bool { return everywhere[keyOf(r.ID)] })
	if len(missing) == 0 {
		return nil
	}
	var ids []string
	for _, r := range missing {
		ids = append(ids, r.ID)
	}
	return []workflow.Issue{{
		File: s.firstTest(), Title: "No test cites " + some(ids),
		Description: fmt.Sprintf("The tests cite criteria of %s by their ids. %s:%d: %s", spec.path, spec.path, missing[0].Line,
			cutLine(missing[0].Text, 120)),
	}}
}

// count is how many criteria have ids of a family.
func count(list []requirements.Requirement, family string) int {
	n := 0
	for _, r := range list {
		if familyOf(r.ID) == family {
			n++
		}
	}
	return n
}

// maxListed is how many names an issue lists.
const maxListed = 6

// some joins the first names and counts the rest.
func some(names []string) string {
	if n := len(names) - maxListed; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), n)
	}
	return strings.Join(names, ", ")
}

// choices are the places where a spec lists the values that something may have.
var (
	choices = lazyregexp.New("(?:[\"'`][a-z][\\w.-]{1,30}[\"'`]\\s*\\\\?\\|\\s*){2,}[\"'`][a-z][\\w.-]{1,30}[\"'`]" +
		"|(?i:\\b(?:one of|either)):?\\s*(?:[\"'`][a-z][\\w.-]{1,30}[\"'`](?:,? (?:and|or) |,\\s*)){2,}[\"'`][a-z][\\w.-]{1,30}[\"'`]" +
		"|\\b(?:Literal|enum:\\s*)\\[\\s*(?:[\"'`][a-z][\\w.-]{1,30}[\"'`],\\s*){2,}[\"'`][a-z][\\w.-]{1,30}[\"'`]")
	quoted = lazyregexp.New("[\"'`]([a-z][\\w.-]{1,30})[\"'`]")
	// tool is a heading that names what can be called.
	tool = lazyregexp.New("^(?:(?:MCP )?(?i:tool|command|endpoint))s?\\s*\\d*\\s*[:–-]?\\s*`?([a-z]+(?:[_-][a-z0-9]+)+)\\b")
)

// valueSet are alternatives that a spec lists.
type valueSet struct {
	line   int
	values []string
}

// values lists the sets of values and tools of a spec, each value once.
func (d *document) values() []valueSet {
	var out []valueSet
	tools := valueSet{}
	seen := map[string]bool{}
	for _, sec := range d.sections {
		if m := tool.FindStringSubmatch(sec.title); m != nil && !seen[m[1]] {
			seen[m[1]] = true
			tools.values = append(tools.values, m[1])
			tools.line = sec.line
		}
		for _, b := range sec.blocks {
			for _, found := range choices.FindAllStringIndex(b.text, 20) {
				set := valueSet{line: b.line + strings.Count(b.text[:found[0]], "\n")}
				for _, m := range quoted.FindAllStringSubmatch(b.text[found[0]:found[1]], 40) {
					if !seen[m[1]] {
						seen[m[1]] = true
						set.values = append(set.values, m[1])
					}
				}
				out = append(out, set)
			}
		}
	}
	return append(out, tools)
}

// unmentioned lists values that a text leaves out although it has most of the
// others of their set.
func unmentioned(sets []valueSet, text string) []valueSet {
	var out []valueSet
	words := map[string]bool{}
	for _, w := range lazyregexp.New(`[A-Za-z][\w.-]*`).FindAllString(text, -1) {
		words[strings.ToLower(strings.TrimRight(w, ".-"))] = true
		for _, part := range strings.FieldsFunc(splitCamel(w), func(r rune) bool { return strings.ContainsRune(" .-", r) }) {
			words[strings.ToLower(part)] = true
		}
	}
	lines := strings.Split(strings.ToLower(text), "\n")
	for _, set := range sets {
		missing := slices.DeleteFunc(slices.Clone(set.values), func(v string) bool {
			return words[strings.ToLower(v)] || strings.Contains(text, v) || inOneLine(lines, v)
		})
		if len(missing) > 0 && 2*len(missing) < len(set.values) {
			out = append(out, valueSet{set.line, missing})
		}
	}
	return out
}

// inOneLine reports whether all words of a name stand in one line.
func inOneLine(lines []string, name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(splitCamel(name)), func(r rune) bool { return strings.ContainsRune(" .-", r) })
	return len(parts) > 1 && slices.ContainsFunc(lines, func(l string) bool {
		return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(l, stem(p)) })
	})
}

func valuesWithoutCriterion(s *subject, d *document) []workflow.Issue {
	added := s.addedTo(d)
	var text strings.Builder
	for _, r := range d.criteria {
		text.WriteString(r.Text + "\n")
	}
	var out []workflow.Issue
	for _, m := range unmentioned(d.values(), text.String()) {
		if added(m.line) {
			out = append(out, workflow.Issue{File: d.path, Line: m.line, Title: "No criterion mentions " + some(m.values)})
		}
	}
	return out
}

// valuesWithoutTest are values that no test of the head mentions, where the tests under
// review have most of the others.
func valuesWithoutTest(s *subject, spec *document) []workflow.Issue {
	missing := unmentioned(spec.values(), s.testText())
	if len(missing) == 0 {
		return nil
	}
	all, err := s.headTests()
	everywhere := s.textOf(all)
	var out []workflow.Issue
	for _, m := range missing {
		values := slices.DeleteFunc(m.values, func(v string) bool {
			return err != nil || lazyregexp.New(`(?i)\b`+lazyregexp.Quote(v)+`\b`).MatchString(everywhere)
		})
		if len(values) > 0 {
			out = append(out, workflow.Issue{
				File: s.firstTest(), Title: "No test mentions " + some(values),
				Description: fmt.Sprintf("%s:%d lists them beside values that the tests do mention.", spec.path, m.line),
			})
		}
	}
	return out
}

// statedCount matches a count of criteria that a text gives.
var statedCount = lazyregexp.New(`(?i)\b(?:all(?: of the)?|total(?: of)?|these` +
	`|following)\s+\(?(\d{1,3})\)?\s+(?:acceptance |success )?(criteria|scenarios)\b`)

// miscounted are counts of criteria that differ from what the spec lists: in the
// spec itself, and in its tests.
func miscounted(s *subject, spec *document) []workflow.Issue {
	var out []workflow.Issue
	judge := func(file string, line int, text string) {
		for _, m := range statedCount.FindAllStringSubmatch(text, 5) {
			n := 0
			for _, r := range spec.criteria {
				if strings.EqualFold(m[2], "scenarios") == (r.Kind == requirements.Scenario) {
					n++
				}
			}
			if stated := fmt.Sprint(n); n > 1 && m[1] != stated {
				out = append(out, workflow.Issue{File: file, Line: line, Title: fmt.Sprintf("%q, but %s lists %d", cutLine(m[0], 60),
					spec.path, n)})
			}
		}
	}
	if s.Artifact.Type == workflow.Spec {
		for _, b := range spec.prose() {
			judge(spec.path, b.line, b.plain)
		}
		return out
	}
	for _, f := range s.tests() {
		for i, line := range f.lines {
			if f.added(i+1) && len(line) <= maxLine {
				judge(f.path, i+1, line)
			}
		}
	}
	return out
}
