package requirements

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"workflow-reviewer/internal/lazyregexp"
)

// Source is a file in which requirements may be named.
type Source struct {
	Path string
	Text []byte
	Test bool
}

// Trace lists the places that name one requirement, as "path:line".
type Trace struct{ Tests, Code []string }

// Caps on what is searched for traces.
const (
	maxTraces = 5       // of a requirement on one side
	maxSource = 1 << 20 // bytes of one file
	maxAll    = 8 << 20 // bytes of all files
	maxWidth  = 2_000   // bytes of a line
)

// Traces finds for each requirement the tests and the code that name it: by its id, as
// test_ac12_locks or "criterion 2" do, or a test by its words, code by the definition of a name
// that the requirement has in code marks.
func Traces(list []Requirement, sources []Source) []Trace {
	t := tracer{out: make([]Trace, len(list)), byID: map[string]int{}, names: map[string][]int{}}
	for i, r := range list {
		t.byID[idKey(r)] = i
		t.words = append(t.words, telling(r.Text))
		for _, m := range codeName.FindAllStringSubmatch(r.Text, 20) {
			if !slices.Contains(t.names[m[1]], i) {
				t.names[m[1]] = append(t.names[m[1]], i)
			}
		}
	}
	left := maxAll
	for _, s := range sources {
		if len(s.Text) > min(maxSource, left) || len(list) == 0 {
			continue
		}
		left -= len(s.Text)
		n := 0
		for l := range strings.Lines(string(s.Text)) {
			if n++; len(l) <= maxWidth {
				t.line(s, n, l)
			}
		}
	}
	return t.out
}

// tracer finds requirements by their ids, the words of tests' names, and names in code marks.
type tracer struct {
	out   []Trace
	byID  map[string]int
	words []map[string]bool
	names map[string][]int // requirements by a name that they give in code marks
}

var (
	codeName   = lazyregexp.New("`([A-Za-z_]\\w{2,60})(?:\\([^`]*\\))?`")
	definition = lazyregexp.New(
		`\b(?:def|func|fn|function|class|struct|interface|type|trait|enum|const|let|` +
			`var)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`,
	)
	testName = lazyregexp.New(
		"\\b(?:def\\s+(test\\w*)|func\\s+(Test\\w*)|fn\\s+(\\w+)|void\\s+(\\w+)\\s*\\(|(?:it|test|specify|" +
			"scenario)[\\w.]*\\s*\\(?\\s*[\"'`]([^\"'`]{4,200})[\"'`])",
	)
)

// line adds what line n of a source names: ids in whatever it holds, a test by the words of its
// name, code by a name that a requirement has in code marks.
func (t tracer) line(s Source, n int, l string) {
	at := s.Path + ":" + strconv.Itoa(n)
	if strings.ContainsAny(l, "0123456789") {
		for _, key := range citations(l) {
			if i, ok := t.byID[key]; ok {
				t.add(i, s.Test, at)
			}
		}
	}
	if s.Test {
		if m := testName.FindStringSubmatch(l); m != nil {
			if i := t.named(strings.Join(m[1:], "")); i >= 0 {
				t.add(i, true, at)
			}
		}
		return
	}
	if len(t.names) == 0 {
		return
	}
	if m := definition.FindStringSubmatch(l); m != nil {
		for _, i := range t.names[m[1]] {
			t.add(i, false, at)
		}
	}
}

// add notes a place PATH:LINE for requirement i, at most maxTraces of a side.
func (t tracer) add(i int, test bool, at string) {
	side := &t.out[i].Code
	if test {
		side = &t.out[i].Tests
	}
	if len(*side) < maxTraces && !slices.Contains(*side, at) {
		*side = append(*side, at)
	}
}

// named is the one requirement that a test's name repeats: it holds at least two of the name's
// telling words and three quarters of them, and more of them than any other; -1 if there is none.
func (t tracer) named(name string) int {
	words := telling(name)
	best, most, tied := -1, 1, false
	for i, of := range t.words {
		shared := 0
		for w := range words {
			if of[w] {
				shared++
			}
		}
		switch {
		case 4*shared < 3*len(words) || shared < most:
		case shared == most:
			tied = true
		default:
			best, most, tied = i, shared, false
		}
	}
	if tied || most < 2 {
		return -1
	}
	return best
}

// anyCriterion are words that stand in criteria and tests of whatever kind.
var anyCriterion = []string{"test", "tests", "should", "must", "shall", "when", "then", "given"}

// telling are a text's words of at least four letters, without their ends.
func telling(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range split(text) {
		if w = strings.ToLower(w); len(w) >= 4 && w[0] > '9' && !slices.Contains(anyCriterion, w) {
			for _, end := range []string{"s", "e", "ed"} {
				w = strings.TrimSuffix(w, end)
			}
			out[w] = true
		}
	}
	return out
}

// split is a text's words and numbers; camelCase is several words.
func split(text string) []string {
	var out []string
	kind := func(r rune) int {
		switch {
		case unicode.IsDigit(r):
			return 1
		case unicode.IsUpper(r):
			return 2
		case unicode.IsLetter(r):
			return 3
		}
		return 0
	}
	start, last := 0, 0
	for i, r := range text + " " {
		k := kind(r)
		if k == last || last == 2 && k == 3 {
			last = k
			continue
		}
		if last != 0 {
			out = append(out, text[start:i])
		}
		start, last = i, k
	}
	return out
}

// cues are the words that introduce the number of a requirement without letters of its own.
var cues = map[string]bool{
	"criterion": true, "criteria": true, "ac": true, "requirement": true, "requirements": true,
	"req": true, "scenario": true,
}

// citations are the keys of the requirements that a line may cite: each number with up to three
// words before it.
func citations(l string) []string {
	var out []string
	for i := 0; i < len(l); i++ {
		if !digit(l[i]) {
			continue
		}
		end := i
		for end < len(l) && (digit(l[end]) || joinsDigits(l[end:])) {
			end++
		}
		number := normalNumber(l[i:end])
		first, _, more := strings.Cut(number, ".")
		letters, prefix := wordsBefore(l[:i]), ""
		for k := len(letters) - 1; k >= max(0, len(letters)-3); k-- {
			word := strings.ToLower(letters[k])
			if prefix == "" && cues[word] {
				out = append(out, "#"+number, "#"+first)
			}
			prefix = word + prefix
			if out = append(out, prefix+number); more && k == len(letters)-1 {
				out = append(out, prefix+first)
			}
		}
		i = end
	}
	return out
}

// joinsDigits reports whether a text begins with a sign and a digit after it.
func joinsDigits(s string) bool {
	return len(s) > 1 && (s[0] == '.' || s[0] == '_') && digit(s[1])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// wordsBefore are the words that end a text, apart by at most two signs.
func wordsBefore(text string) []string {
	start, gap := len(text), 0
	for start > 0 && gap < 3 && len(text)-start < maxID {
		switch c := text[start-1]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			gap = 0
		case strings.IndexByte("-_ :#", c) >= 0:
			gap++
		default:
			return split(text[start:])
		}
		start--
	}
	return split(text[start:])
}

// idKey is the key by which a requirement is cited: the letters and numbers of its id, "#" for one
// without letters.
func idKey(r Requirement) string {
	i := strings.IndexFunc(r.ID, unicode.IsDigit)
	if i < 0 {
		return strings.ToLower(r.ID)
	}
	letters := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(r.ID[:i]))
	letters = cmp.Or(letters, "#")
	return letters + normalNumber(r.ID[i:])
}

// normalNumber is "3.1" of "003.1" and "3_1".
func normalNumber(s string) string {
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	for i := range parts {
		if parts[i] = strings.TrimLeft(parts[i], "0"); parts[i] == "" {
			parts[i] = "0"
		}
	}
	return strings.Join(parts, ".")
}
