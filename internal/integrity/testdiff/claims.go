package testdiff

import (
	"context"
	"fmt"

	"workflow-reviewer/internal/integrity/testmodel"
	"workflow-reviewer/internal/syntax"
)

// Claims is what one test demands, in words.
type Claims struct {
	Test      string // its name, with the suites around it
	Line, End int    // of the test in its file
	Demands   []string
}

// ClaimsOf reads what each test of a file demands. known is false for a file
// that is in no language with a model, or that cannot be parsed.
func ClaimsOf(ctx context.Context, path string, src []byte) (claims []Claims, known bool, err error) {
	lang, ok := syntax.LanguageOf(path)
	model := extractorOf(lang)
	if !ok || model == nil || len(src) > syntax.MaxSource {
		return nil, false, nil
	}
	tree, err := syntax.Parse(ctx, lang, src)
	if err != nil || tree.HasError() {
		return nil, false, ctx.Err()
	}
	for _, u := range model(tree, path).Units {
		if u.Role != testmodel.Test {
			continue
		}
		c := Claims{Test: u.Name, Line: u.Line, End: u.End}
		for _, m := range u.Marks {
			if m.Raises != nil {
				c.Demands = append(c.Demands, phrase(m.Raises))
			}
		}
		c.Demands = append(c.Demands, demands(u.Body)...)
		claims = append(claims, c)
	}
	return claims, true, nil
}

// demands are the assertions among statements.
func demands(body []testmodel.Stmt) []string {
	var out []string
	for i := range body {
		if a := body[i].Assert; a != nil {
			if len(a.Subject) > 0 {
				out = append(out, fmt.Sprintf("%s: %s", quote(a.Subject), phrase(a)))
			} else {
				out = append(out, phrase(a))
			}
		}
		out = append(out, demands(body[i].Body)...)
	}
	return out
}
