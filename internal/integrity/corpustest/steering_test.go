package corpustest_test

import (
	"fmt"
	"strings"
)

// steer puts one file of an archive into a tree.
func steer(tree map[string]string, p, data string) error {
	if gone, ok := strings.CutSuffix(p, "!"); ok {
		delete(tree, gone)
		return nil
	}
	p, edit := strings.CutSuffix(p, "~")
	if !edit {
		tree[p] = data
		return nil
	}
	var was, is string
	for line := range strings.Lines(data) {
		switch line[0] {
		case '-':
			was += line[1:]
		case '+':
			is += line[1:]
		default:
			return fmt.Errorf("%q is neither - nor +", line)
		}
	}
	if was == "" {
		tree[p] += is
		return nil
	}
	if n := strings.Count("\n"+tree[p], "\n"+was); n != 1 {
		return fmt.Errorf("%d places for %q", n, was)
	}
	tree[p] = strings.TrimPrefix(strings.Replace("\n"+tree[p], "\n"+was, "\n"+is, 1), "\n")
	return nil
}
