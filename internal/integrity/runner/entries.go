package runner

import "strings"

// patterns are the entries of an include; those of the default if it is unset.
func (r rule) patterns(o *option) []value {
	if o == nil || len(o.values) == 0 {
		var out []value
		for _, d := range r.defaults {
			out = append(out, value{text: d})
		}
		return out
	}
	if r.split != "" {
		var out []value
		for _, v := range o.values {
			for _, w := range strings.Split(v.text, r.split) {
				if w = strings.TrimSpace(w); w != "" {
					out = append(out, value{text: w, line: v.line})
				}
			}
		}
		return out
	}
	if r.braces {
		return expandBraces(o)
	}
	if strings.ContainsAny(strings.Join(o.texts(), ""), `({\^$|`) {
		return o.values // globs with braces and regular expressions hold commas
	}
	return o.words()
}

// expandBraces makes words of tox's lists of environments: py{38,39}-{a,b}.
func expandBraces(o *option) []value {
	const most = 500
	var out []value
	for _, v := range o.values {
		list := []string{""}
		for text := strings.ReplaceAll(v.text, " ", ""); text != "" && len(list) < most; {
			switch i := strings.IndexAny(text, "{,"); {
			case i < 0:
				list, text = product(list, []string{text}), ""
			case text[i] == ',':
				for _, w := range product(list, []string{text[:i]}) {
					out = append(out, value{text: w, line: v.line})
				}
				list, text = []string{""}, text[i+1:]
			default:
				inner, rest, _ := strings.Cut(text[i+1:], "}")
				list, text = product(product(list, []string{text[:i]}), strings.Split(inner, ",")), rest
			}
		}
		for _, w := range list {
			if w != "" {
				out = append(out, value{text: w, line: v.line})
			}
		}
	}
	return out
}

func product(a, b []string) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}
