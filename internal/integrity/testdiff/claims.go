package testdiff

import (
	"context"
	"strings"

	"workflow-reviewer/internal/integrity/kernel"
	"workflow-reviewer/internal/syntax"
)

// Claims is what one test demands, in words.
type Claims struct {
	Test      string // its name
	Line, End int    // of the test in its file
	Demands   []string
}

// ClaimsOf reads what each test of a file demands. known is false for a file
// that is in no known language, or that cannot be parsed.
func ClaimsOf(ctx context.Context, path string, src []byte) (claims []Claims, known bool, err error) {
	lang, ok := syntax.LanguageOf(path)
	if !ok || len(src) > syntax.MaxSource {
		return nil, false, nil
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil || tree.HasError() {
		return nil, false, ctx.Err()
	}
	t := kernel.Read(tree)
	t.Root.Walk(func(n *kernel.Node) bool {
		u, _ := t.Unit(n)
		if u.Role != kernel.Test {
			return true
		}
		c := Claims{Test: u.Name, Line: n.Line, End: n.End}
		n.Walk(func(k *kernel.Node) bool {
			if k != n && t.InBlock(k) {
				if a, ok := t.AssertionOf(k); ok {
					c.Demands = append(c.Demands, strings.TrimPrefix(strings.Join(strings.Fields(t.Text(a.Node)), " "), "assert "))
					return false
				}
			}
			return true
		})
		claims = append(claims, c)
		return false
	})
	return claims, true, nil
}
