package golang_test

import (
	"testing"

	"workflow-reviewer/internal/integrity/extract/clike/cliketest"
	"workflow-reviewer/internal/integrity/extract/golang"
	"workflow-reviewer/internal/syntax"
)

const head = `package p

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

`

func TestAssertions(t *testing.T) {
	for src, want := range map[string]string{
		"if got != want { t.Fatal() }":                                  `asserts equal "==" of(got) want(want)`,
		"if want != got { t.Fatal() }":                                  `asserts equal "==" of(got) want(want)`,
		"if 3 != got { panic(got) }":                                    `asserts equal "==" of(got) want(3)`,
		"if got == 3 { t.Error(got); return }":                          `asserts not equal "==" of(got) want(3)`,
		"if !ok { t.FailNow() }":                                        `asserts truthy "if" of(ok)`,
		"if ok != true { t.Fail() }":                                    `asserts truthy "if" of(ok)`,
		"if n < 3 || m > 4 { t.Fatal() }":                               `asserts compare ">=" of(n) want(3); asserts compare "<=" of(m) want(4)`,
		"if 3 > n { t.Fatal() }":                                        `asserts compare ">=" of(n) want(3)`,
		"if a != 1 && b != 2 { t.Fatal() }":                             `asserts falsy "&&" of(a != 1 && b != 2)`,
		"if math.Abs(a-b) >= 1e-3 { t.Fatal() }":                        `asserts approx "math.Abs" of(a) want(b) tolerance(0.001) tolerance(1e-3)`,
		"if d := math.Abs(got - 2); d > 0.5 { t.Fatal() }":              `assigns head(d := math . Abs ( got - 2 )) binds(d); asserts approx "math.Abs" of(got) want(2) tolerance(0.5) tolerance(0.5)`,
		"if d := cmp.Diff(want, got, opts); d != \"\" { t.Error(d) }":   `asserts equal "cmp.Diff" of(got) want(want) tolerance(opts)`,
		"if !cmp.Equal(got, want) { t.Error() }":                        `asserts equal "cmp.Equal" of(got) want(want)`,
		"if err := f(); err != nil { t.Fatal(err) }":                    `assigns head(err := f ( )) binds(err); asserts succeeds "==" of(err)`,
		"if p == nil { t.Fatal() }":                                     `asserts not-nil "==" of(p)`,
		"if err == nil { t.Fatal() }":                                   `asserts throws "==" of(err)`,
		"if errors.Is(err, E) { t.Fatal() }":                            `asserts not throws "errors.Is" of(err) want(E)`,
		"if false { t.Fatal() }":                                        `asserts always "false"`,
		"if got != got { t.Fatal() }":                                   `asserts always "==" of(got) want(got)`,
		"if !a.Equal(b) { t.Fatal() }":                                  `asserts equal ".Equal" of(a) want(b)`,
		"if s != 1 { t.Log(s); t.Fail() }":                              `asserts equal "==" of(s) want(1)`,
		"if s != 1 { clean(); t.Fail() }":                               `asserts equal "==" of(s) want(1); plain head(clean ( ))`,
		"if s != 1 { if x { return }; t.Fail() }":                       `branch head(if s != 1); branch head(if x); returns head(return); raises head(t . Fail)`,
		"if s != 1 { t.Skip(); t.Fail() }":                              `branch head(if s != 1); skip head(t . Skip); raises head(t . Fail)`,
		"if s != 1 { t.Error(func() int { os.Exit(0); return 1 }()) }":  `branch head(if s != 1); raises head(t . Error ( func ( ) int { os . Exit ( 0 ) return 1 } ( ) ))`,
		"if s != 1 { t.Logf(\"%d\", s) }":                               `asserts equal "==" of(s) want(1) LOST`,
		"if s != 1 { _ = s }":                                           `asserts equal "==" of(s) want(1) LOST`,
		"if s == 1 { return }":                                          `branch head(if s == 1); returns head(return)`,
		"switch { case a != 1: t.Error(); case b != 2: t.Error() }":     `asserts equal "==" of(a) want(1); asserts equal "==" of(b) want(2)`,
		"assert.True(t, a == b, \"m\")":                                 `asserts equal "==" of(a) want(b)`,
		"assert.Equal(t, 3, len(x))":                                    `asserts length "Len" of(x) want(3)`,
		"assert.InDelta(t, 1.0, x, eps)":                                `asserts approx "InDelta" of(x) want(1.0) tolerance(eps)`,
		"assert.Greater(t, a, b)":                                       `asserts compare ">" of(a) want(b)`,
		"if !assert.NoError(t, err) { return }":                         `asserts succeeds "NoError" of(err)`,
		"ok := assert.Equal(t, 1, x); _ = ok":                           `asserts equal "Equal" of(x) want(1); plain head(_ = ok)`,
		"defer func() { recover() }()":                                  `defines head(defer func ( ) ( )) SWALLOWS; plain head(recover ( ))`,
		"defer func() { if r := recover(); r != nil { t.Fatal(r) } }()": `defines head(defer func ( ) ( )); assigns head(r := recover ( )) binds(r); asserts succeeds "==" of(r)`,
		"tt := tt; t.Helper(); t.Parallel()":                            ``,
	} {
		t.Run(src, func(t *testing.T) {
			got := cliketest.Demands(t, syntax.Go, golang.Model, head+"func TestIt(t *testing.T) {\n"+src+"\n}\n")
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
