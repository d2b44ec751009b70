package detect

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// leastNamed is how many letters the name of a spec has at least that is found inside that of a
// branch: shorter ones stand in too many.
const leastNamed = 4

// inWords is the spec of whose words, in their order, a branch's name has the most; false if
// several have as many.
func (x specIndex) inWords(branch string) (spec, bool) {
	all := "-" + strings.Join(wordsOf(branch), "-") + "-"
	var best spec
	longest, tie := 0, false
	for _, list := range x {
		for _, s := range list {
			name := strings.Join(wordsOf(number.ReplaceAllString(s.feature, "")), "-")
			if s.existing || len(name) < max(leastNamed, longest) ||
				!strings.Contains(all, "-"+name+"-") {
				continue
			}
			tie = len(name) == longest && s.feature != best.feature
			best, longest = s, len(name)
		}
	}
	return best, longest > 0 && !tie
}

// wordsOf are the words of a name in lower case; an upper-case letter after a lower-case one begins
// one.
func wordsOf(name string) []string {
	var spaced strings.Builder
	lower := false
	for _, r := range name {
		if unicode.IsUpper(r) && lower {
			spaced.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		spaced.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// guess is the only spec in work, where the branch and the change's documents name nothing else,
// and the base's history shows that somebody worked on it lately.
func (d *detector) guess(p *project, among map[string]signs) (spec, bool) {
	s, ok := d.onlyDoing(p)
	_, named := among[s.feature]
	if !ok || !named && len(among) > 0 || !d.namesNothing() { // else the change tells of others
		return spec{}, false
	}
	return s, named || s.touched || d.opt.Recent != nil && d.opt.Recent(s.path)
}

// namesNothing reports whether the branch is unknown, one that all work ends on, or but a number.
func (d *detector) namesNothing() bool {
	return slices.Contains(d.opt.Trunks, d.opt.Branch) ||
		!strings.ContainsFunc(
			path.Base("/"+featureBranch.ReplaceAllString(d.opt.Branch, "")),
			unicode.IsLetter,
		)
}

// onlyDoing is the one feature of the head that is being worked on. Where a
// layout has no state for that, it is the one that is neither new nor done.
func (d *detector) onlyDoing(p *project) (spec, bool) {
	found := map[string]spec{}
	for _, list := range p.specs {
		for _, s := range list {
			if s.head && !s.existing && d.workedOn(s) {
				found[s.feature] = s
			}
		}
	}
	for _, s := range found {
		return s, len(found) == 1
	}
	return spec{}, false
}
