package rules

import (
	"iter"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

// until is the index after a section's last descendant.
func (d *document) until(i int) int {
	for j := i + 1; j < len(d.sections); j++ {
		if d.sections[j].level <= d.sections[i].level {
			return j
		}
	}
	return len(d.sections)
}

// below yields the blocks of a section and of its descendants.
func (d *document) below(i int) iter.Seq[block] {
	return func(yield func(block) bool) {
		for _, s := range d.sections[i:d.until(i)] {
			for _, b := range s.blocks {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// titled lists the sections whose title matches, without those inside of another match.
func (d *document) titled(re *lazyregexp.Regexp) []int {
	var out []int
	for i := 0; i < len(d.sections); i++ {
		if s := d.sections[i]; s.level > 0 && re.MatchString(s.title) {
			out = append(out, i)
			i = d.until(i) - 1
		}
	}
	return out
}

// entries lists what the matching sections enumerate: list items and table rows, or paragraphs where there are neither.
func (d *document) entries(sections []int) []block {
	var items, paragraphs []block
	for _, i := range sections {
		for b := range d.below(i) {
			switch b.kind {
			case item:
				items = append(items, b)
			case row:
				if !ruler.MatchString(b.text) {
					items = append(items, b)
				}
			case paragraph:
				paragraphs = append(paragraphs, b)
			}
		}
	}
	if len(items) > 0 {
		return items
	}
	return paragraphs
}

// ruler matches the line below a table's head.
var ruler = lazyregexp.New(`^[\s|:-]+$`)

// has reports whether a title or any text outside of code matches.
func (d *document) has(re *lazyregexp.Regexp) bool {
	for _, s := range d.sections {
		if re.MatchString(s.title) {
			return true
		}
		for _, b := range s.blocks {
			if b.kind != codeBlock && re.MatchString(b.text) {
				return true
			}
		}
	}
	return false
}

// prose yields the text outside of code with the section that holds it.
func (d *document) prose() iter.Seq2[section, block] {
	return func(yield func(section, block) bool) {
		for _, s := range d.sections {
			for _, b := range s.blocks {
				if b.kind == codeBlock || b.kind == html {
					continue
				}
				if !yield(s, b) {
					return
				}
			}
		}
	}
}

// words counts the words outside of code, titles included.
func (d *document) words() int {
	n := 0
	for _, s := range d.sections {
		n += len(strings.Fields(s.title))
	}
	for _, b := range d.prose() {
		n += len(strings.Fields(b.plain)) + len(ideographs.FindAllString(b.plain, -1))/2
	}
	return n
}

var (
	codeSpan = lazyregexp.New("``[^\n]+?``|`[^`\n]*`")
	checkbox = lazyregexp.New(`^\[[ xX]\]\s+`)
	blanks   = lazyregexp.New(`\s+`)
	// ideographs are of scripts without spaces; two make a word
	ideographs = lazyregexp.New(`[\p{Han}\p{Hiragana}\p{Katakana}]`)
)

// phrase is a text brought to a form in which equal phrases are equal.
func phrase(s string) string {
	s = checkbox.ReplaceAllString(strings.TrimSpace(s), "")
	s = strings.NewReplacer("`", "", "*", "", "_", " ", "-", " ", "|", " ").Replace(link.ReplaceAllString(s, "$1"))
	s = blanks.ReplaceAllString(strings.ToLower(s), " ")
	return strings.Trim(s, " .,;:!")
}

// cutLine shortens a text for use in a title.
func cutLine(s string, n int) string {
	s = blanks.ReplaceAllString(strings.TrimSpace(s), " ")
	count := 0
	for i := range s {
		if count == n {
			return strings.TrimSpace(s[:i]) + "…"
		}
		count++
	}
	return s
}
