package runner

import "regexp"

// argsOf splits the values of a setting into words as a shell would.
func argsOf(o *option) []value {
	if o == nil {
		return nil
	}
	var out []value
	for _, v := range o.values {
		if v.code {
			out = append(out, v)
			continue
		}
		for _, w := range splitWords(v.text) {
			out = append(out, value{text: w, line: v.line})
		}
	}
	return out
}

// splitWords splits a command line at white space outside of quotes.
func splitWords(s string) []string {
	var out []string
	var word []rune
	quote, in := rune(0), false
	for _, r := range s {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word = append(word, r)
		case r == '"' || r == '\'':
			quote, in = r, true
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if in || len(word) > 0 {
				out = append(out, string(word))
			}
			word, in = nil, false
		default:
			word = append(word, r)
		}
	}
	if in || len(word) > 0 {
		out = append(out, string(word))
	}
	return out
}

// shellOf reads the lines of a setting as commands that run one after another
// until one fails, each without a shell.
func shellOf(o *option) script {
	var out script
	if o == nil {
		return out
	}
	for _, v := range joined(o.values) {
		text, lost := v.text, ""
		for len(text) > 0 && (text[0] == '-' || text[0] == '!') {
			lost = "its failure is ignored by " + text[:1]
			text = trimLeft(text[1:])
		}
		s, err := shell{errexit: true}.read(posargs.ReplaceAllString(text, "$1"), v.line)
		if err != nil {
			continue
		}
		for i := range s.runs {
			if lost != "" {
				s.runs[i].lost, s.runs[i].lostLine = lost, v.line
			}
		}
		out.runs = append(out.runs, s.runs...)
		out.tampers = append(out.tampers, s.tampers...)
	}
	return out
}

// posargs is what tox fills in, or its default.
var posargs = regexp.MustCompile(`\{posargs:?([^{}]*)\}`)

func trimLeft(s string) string {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	return s
}

// joined puts values together that a backslash continues.
func joined(values []value) []value {
	var out []value
	for _, v := range values {
		if n := len(out); n > 0 && len(out[n-1].text) > 0 && out[n-1].text[len(out[n-1].text)-1] == '\\' {
			out[n-1].text += "\n" + v.text
			continue
		}
		out = append(out, v)
	}
	return out
}
