// Package gitleakstest compares the scanner for secrets with gitleaks, whose rules it uses. It is a module of its own, so
// that what gitleaks brings along is no dependency of the program.
package gitleakstest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"

	"workflow-reviewer/internal/redact"
)

var update = flag.Bool("update", false, "rewrite rules.json from gitleaks")

// rulesFile is what the scanner embeds.
const rulesFile = "../rules.json"

// ruleset is the form of the file.
type ruleset struct {
	Rules []rule   `json:"rules"`
	Allow []except `json:"allow"`
}

type rule struct {
	ID       string   `json:"id"`
	Regex    string   `json:"regex"`
	Group    int      `json:"group,omitempty"`
	Entropy  float64  `json:"entropy,omitempty"`
	Keywords []string `json:"keywords,omitempty"`
	Allow    []except `json:"allow,omitempty"`
}

type except struct {
	Match     bool     `json:"match,omitempty"`
	Regex     string   `json:"regex,omitempty"`
	StopWords []string `json:"stop_words,omitempty"`
}

func gitleaks(t *testing.T) *detect.Detector {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	d.IgnoreGitleaksAllow = true // the text is hostile: it may not excuse itself
	return d
}

// TestRulesAreThoseOfGitleaks: rules.json is the default configuration of the
// gitleaks that go.mod names, less what depends on a file's path.
func TestRulesAreThoseOfGitleaks(t *testing.T) {
	c := gitleaks(t).Config
	var want ruleset
	want.Allow = exceptions(t, c.Allowlists)
	for _, id := range c.OrderedRules {
		r := c.Rules[id]
		if r.Path != nil {
			continue
		}
		if len(r.RequiredRules) > 0 || r.SkipReport {
			t.Fatalf("rule %s depends on others, which is not supported", id)
		}
		want.Rules = append(want.Rules, rule{
			ID: id, Regex: r.Regex.String(), Group: r.SecretGroup, Entropy: r.Entropy, Keywords: r.Keywords,
			Allow: exceptions(t, r.Allowlists),
		})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(want); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(rulesFile, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(b.String(), string(ruleText(t))); diff != "" {
		t.Errorf("rules.json is not up to date; run go test . -update in this folder (-want +got):\n%s", diff)
	}
}

func ruleText(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(rulesFile)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// exceptions are the lists that can apply to a text without a path, less those
// that other words on the line bring about: hostile text would write them.
func exceptions(t *testing.T, lists []*config.Allowlist) []except {
	t.Helper()
	var out []except
	for _, a := range lists {
		and := a.MatchCondition == config.AllowlistMatchAnd
		if and && (len(a.Paths) > 0 || len(a.Commits) > 0) || len(a.Regexes)+len(a.StopWords) == 0 || a.RegexTarget == "line" {
			continue
		}
		if and {
			t.Fatalf("an exception of a kind that is not supported: %+v", a)
		}
		e := except{Match: a.RegexTarget == "match", StopWords: slices.Sorted(slices.Values(a.StopWords))}
		if len(a.Regexes) > 0 {
			var all []string
			for _, re := range a.Regexes {
				all = append(all, re.String())
			}
			e.Regex = "(?:" + strings.Join(all, "|") + ")"
			regexp.MustCompile(e.Regex)
		}
		out = append(out, e)
	}
	return out
}

// TestFindsWhatGitleaksFinds makes texts that match the rules, each in some
// company, and compares the findings.
func TestFindsWhatGitleaksFinds(t *testing.T) {
	var rs ruleset
	if err := json.Unmarshal(ruleText(t), &rs); err != nil {
		t.Fatal(err)
	}
	theirs := gitleaks(t)
	all := theirs.Config.Rules
	random := rand.New(rand.NewPCG(1, 2))
	hit := map[string]bool{}
	for _, r := range rs.Rules {
		for range 4 {
			text := sample(t, random, r)
			found, err := redact.Find(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, f := range found {
				got[f.Rule+": "+f.Secret] = true
			}
			want := map[string]bool{}
			for _, id := range theirs.Config.OrderedRules { // one by one: together, generic findings are left out
				theirs.Config.Rules = map[string]config.Rule{id: all[id]}
				for _, f := range theirs.DetectString(text) {
					want[f.RuleID+": "+f.Secret] = true
					hit[f.RuleID] = true
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings in %q (-gitleaks +ours):\n%s", text, diff)
			}
		}
	}
	if len(hit) < len(rs.Rules)*9/10 {
		t.Errorf("the texts exercise only %d of %d rules", len(hit), len(rs.Rules))
	}
}

// sample is a text with a match of the rule, its keyword, and lines around.
func sample(t *testing.T, random *rand.Rand, r rule) string {
	t.Helper()
	re, err := syntax.Parse(r.Regex, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	generate(&b, random, re)
	keyword := ""
	if len(r.Keywords) > 0 {
		keyword = r.Keywords[random.IntN(len(r.Keywords))]
	}
	return fmt.Sprintf("about %s\n%s\nend, true, example\n", keyword, b.String())
}

// generate writes a text that the expression matches, but for what its
// boundaries ask of the neighbours.
func generate(b *strings.Builder, random *rand.Rand, re *syntax.Regexp) {
	times := func(least, most int) int {
		if most < 0 {
			most = least + 3
		}
		return least + random.IntN(most-least+1)
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(member(random, re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcXYZ019+"[random.IntN(10)])
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			generate(b, random, sub)
		}
	case syntax.OpAlternate:
		generate(b, random, re.Sub[random.IntN(len(re.Sub))])
	case syntax.OpRepeat, syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		bounds := map[syntax.Op][2]int{
			syntax.OpRepeat: {re.Min, re.Max}, syntax.OpStar: {0, -1}, syntax.OpPlus: {1, -1}, syntax.OpQuest: {0, 1},
		}[re.Op]
		for range times(bounds[0], bounds[1]) {
			generate(b, random, re.Sub[0])
		}
	}
}

// member is a printable character of a class, if it has one.
func member(random *rand.Rand, class []rune) rune {
	var printable []rune
	for i := 0; i < len(class); i += 2 {
		for c := max(class[i], ' '); c <= min(class[i+1], '~'); c++ {
			printable = append(printable, c)
		}
	}
	if len(printable) == 0 {
		return class[0]
	}
	return printable[random.IntN(len(printable))]
}
