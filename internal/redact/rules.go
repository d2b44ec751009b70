package redact

import (
	"context"
	_ "embed" // the rules
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ruleText are the rules of gitleaks (MIT License, Copyright (c) 2019 Zachary Rice) that look at
// text alone. The rules are worth having; the scanner around them brings readers of archives, a
// configuration system and terminal colours along, an eighth of this program. A test in
// gitleakstest, a module of its own, writes the file and compares what is found with what gitleaks
// finds.
//
//go:embed rules.json
var ruleText []byte

// rules reads the rules once in the life of the process.
var rules = sync.OnceValues(func() (*ruleset, error) { return parseRules(ruleText) })

// ruleset has the patterns of secrets, and the exceptions from them.
type ruleset struct {
	Rules []rule   `json:"rules"`
	Allow []except `json:"allow"`
}

// rule is one kind of secret.
type rule struct {
	ID       string   `json:"id"`
	Regex    pattern  `json:"regex"`
	Group    int      `json:"group,omitempty"`    // that is the secret; 0 = the first not empty
	Entropy  float64  `json:"entropy,omitempty"`  // bits a byte that a secret must exceed; 0 = any
	Keywords []string `json:"keywords,omitempty"` // one must be in the text, in lower case
	Allow    []except `json:"allow,omitempty"`
}

// except lets go of a match although a rule takes it for a secret.
type except struct {
	Match     bool     `json:"match,omitempty"` // Regex is for all that matched, not the secret
	Regex     pattern  `json:"regex,omitzero"`
	StopWords []string `json:"stop_words,omitempty"` // in the secret, in lower case
}

// pattern is a regular expression that is compiled when it is first needed:
// most never are, and all of them would take some 50 ms.
type pattern struct{ compiled func() *regexp.Regexp }

// UnmarshalText implements encoding.TextUnmarshaler. It takes what a test has seen to compile.
func (p *pattern) UnmarshalText(text []byte) error {
	expr := string(text)
	p.compiled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	return nil
}

// IsZero reports that there is no expression.
func (p pattern) IsZero() bool { return p.compiled == nil }

// parseRules reads the rules. Their expressions are compiled when they are first used.
func parseRules(text []byte) (*ruleset, error) {
	var rs ruleset
	if err := json.Unmarshal(text, &rs); err != nil {
		return nil, fmt.Errorf("read the secret scanner's rules: %w", err)
	}
	return &rs, nil
}

// Finding is a text that a rule calls a secret.
type Finding struct{ Rule, Secret string }

// Find lists what each rule finds in a text, rule by rule. It ends early with the context.
func Find(ctx context.Context, text string) ([]Finding, error) {
	rs, err := rules()
	if err != nil {
		return nil, err
	}
	return rs.find(ctx, text), nil
}

// find lists what looks like a secret, in the order of the rules. A rule runs only if one of its
// keywords stands in the text. It stops early, with what it has, when the context ends.
func (rs *ruleset) find(ctx context.Context, text string) []Finding {
	var out []Finding
	lower := strings.ToLower(text)
	present := func(keyword string) bool { return strings.Contains(lower, keyword) }
	for i := range rs.Rules {
		r := &rs.Rules[i]
		if ctx.Err() != nil {
			return out
		}
		if len(r.Keywords) > 0 && !slices.ContainsFunc(r.Keywords, present) {
			continue
		}
		for _, match := range r.Regex.compiled().FindAllString(text, -1) {
			match = strings.Trim(match, "\n")
			secret := r.secret(match)
			if r.Entropy > 0 && entropy(secret) <= r.Entropy || allowed(rs.Allow, match, secret) ||
				allowed(r.Allow, match, secret) {
				continue
			}
			out = append(out, Finding{r.ID, secret})
		}
	}
	return out
}

// secret is the part of a match that the rule is about.
func (r *rule) secret(match string) string {
	groups := r.Regex.compiled().FindStringSubmatch(match)
	if r.Group > 0 && r.Group < len(groups) {
		return groups[r.Group]
	}
	if len(groups) > 1 {
		for _, g := range groups[1:] {
			if g != "" {
				return g
			}
		}
	}
	return match
}

// allowed reports whether an exception covers a finding: by its expression, over the secret or the
// whole match, or by a word that stands in the secret.
func allowed(list []except, match, secret string) bool {
	return slices.ContainsFunc(list, func(e except) bool {
		target := secret
		if e.Match {
			target = match
		}
		if target != "" && !e.Regex.IsZero() && e.Regex.compiled().MatchString(target) {
			return true
		}
		lower := strings.ToLower(secret)
		return slices.ContainsFunc(
			e.StopWords,
			func(w string) bool { return strings.Contains(lower, w) },
		)
	})
}

// entropy is Shannon's, in bits a byte, of the text's characters.
func entropy(s string) float64 {
	counts := map[rune]int{}
	for _, c := range s {
		counts[c]++
	}
	sum := 0.0
	for _, n := range counts {
		share := float64(n) / float64(len(s))
		sum -= share * math.Log2(share)
	}
	return sum
}
