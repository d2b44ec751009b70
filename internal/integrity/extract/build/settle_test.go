package build_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/extract/build"
	"workflow-reviewer/internal/integrity/testmodel"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		relation          testmodel.Relation
		negated           bool
		subject, expected string
		want              string
	}{
		"not nil":            {testmodel.Nil, true, "f ( )", "", "not-nil false f ( )"},
		"not thrown":         {testmodel.Throws, true, "f ( )", "", "succeeds false f ( )"},
		"not that thrown":    {testmodel.Throws, true, "f ( )", "TypeError", "throws true f ( )"},
		"not false":          {testmodel.Falsy, true, "f ( )", "", "truthy false f ( )"},
		"literal is true":    {testmodel.Truthy, false, "true", "", "always false true"},
		"literal is false":   {testmodel.Truthy, false, `""`, "", `never false ""`},
		"or true":            {testmodel.Truthy, false, "f ( ) || true", "", "always false f ( ) || true"},
		"equal literals":     {testmodel.Equal, false, "1", "1", "always false 1"},
		"different literals": {testmodel.Equal, false, "1", "2", "never false 1"},
		"not equal literals": {testmodel.Equal, true, "1", "2", "always false 1"},
		"itself":             {testmodel.LooseEqual, false, "x", "x", "always false x"},
		"two calls":          {testmodel.Equal, false, "f ( )", "f ( )", "equal false f ( )"},
		"new objects":        {testmodel.Identical, false, "{ }", "{ }", "identical false { }"},
		"other way round":    {testmodel.Identical, false, "1", "f ( )", "equal false f ( )"},
		"nil literal":        {testmodel.NotNil, false, "3", "", "always false 3"},
		"ordinary":           {testmodel.Equal, false, "f ( )", "1", "equal false f ( )"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := build.Settle(testmodel.Assert{
				Relation: tt.relation, Negated: tt.negated, Subject: strings.Fields(tt.subject), Expected: strings.Fields(tt.expected),
			})
			got := string(a.Relation) + " " + map[bool]string{true: "true", false: "false"}[a.Negated] + " " + strings.Join(a.Subject, " ")
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Settle (-want +got):\n%s", diff)
			}
		})
	}
}
