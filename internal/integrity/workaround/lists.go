package workaround

import (
	_ "embed"
	"strings"

	"workflow-reviewer/internal/lazyregexp"
)

//go:embed lists.txt
var listText string

// lists are the expressions of lists.txt, joined, by the name of their list.
var lists = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(strings.ReplaceAll(listText, "\n  ", "")) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if out[words[0]] != "" {
			out[words[0]] += "|"
		}
		out[words[0]] += strings.Join(words[1:], "|")
	}
	return out
}()

// whole matches texts that are on a list of lists.txt, within those that hold something of it.
func whole(list string) *lazyregexp.Regexp { return lazyregexp.New("^" + within(list).String() + "$") }

func within(list string) *lazyregexp.Regexp {
	if lists[list] == "" {
		panic("lists.txt has no list " + list)
	}
	return lazyregexp.New("(?:" + lists[list] + ")")
}
