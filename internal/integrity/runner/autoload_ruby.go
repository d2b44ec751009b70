package runner

import (
	"context"
	"regexp"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/syntax"
)

// rubyPatterns are what a helper of RSpec or Minitest does to all tests.
func rubyPatterns() []buildPattern {
	p := func(k violation.Kind, expr string) buildPattern {
		return buildPattern{match: regexp.MustCompile(expr), kind: k}
	}
	return []buildPattern{
		p(violation.ConftestHook, `\bfilter_run_excluding\b|\bexclusion_filter\s*=|\bfilter_run(?:_including)?\s+(?:[^f:]|:?[^f])|\binclusion_filter\s*=|\bdry_run\s*=\s*true|\bfilter_gems|\bfail_if_no_examples\s*=\s*false`),
		p(violation.ConftestHook, `\bfailure_exit_code\s*=\s*0|\berror_exit_code\s*=\s*0|\bat_exit\b.*\bexit|\bexit!?\s*\(?\s*(?:0|true)|\binstance_variable_set\(?\s*:@exception|\bset_exception\b|\bexecution_result\.\w+\s*=|\.exception\s*=\s*nil`),
		p(violation.ConftestHook, `\bskip\b|\bpending\b|rescue\s+(?:=>|Exception|RSpec|Minitest|StandardError|nil|$)`),
		p(violation.ConftestHook, `^(?:module|class)\s+(?:RSpec::(?:Matchers|Expectations|Core|Mocks)|Minitest::Assertions|Minitest::Reportable|Minitest::Result|Test::Unit::Assertions)\b|(?:RSpec|Minitest)[\w:]*\.(?:prepend|class_eval|module_eval|send)|\bdef\s+(?:(?:assert|refute)(?:_(?:equal|nil|raises?|includes|match|same|operator|predicate|empty|instance_of|kind_of|in_delta|in_epsilon|respond_to|send|throws|output|silent|true|false|not_equal|not_nil))?|expect|should|should_not|to|not_to|to_not|matches\?|flunk|passed\?|failure)\b(?:\s*[(;]|\s*$|\s+[*&a-z])|\b(?:class_eval|define_method|alias_method)\b.*(?:assert|expect|match)`),
		p(violation.ConftestHook, `\ballow_any_instance_of\b|\bstub_const\b|\ballow\(.*\)\.to\s+receive`),
		p(violation.RetriesAdded, `\bdefault_retry_count\s*=|\bverbose_retry\b|rspec/retry|minitest/retry`),
	}
}

// rubyHelper compares a helper by its new lines.
func (c *comparison) rubyHelper(ctx context.Context, before, after []byte) error {
	tree, err := c.parse(ctx, after)
	if err != nil {
		return err
	}
	was, is := statementsOf(before), statementsOf(after)
	gained, lost := difference(is, was), difference(was, is)
	reported := 0
	for _, s := range gained {
		for _, p := range rubyPatterns() {
			if p.match.MatchString(s.text) && reported < 2 && steersInContext(tree, s) {
				reported++
				c.report(finding{p.kind, 0, s.line, "A helper that all tests load steers them: " + cut(s.text)})
				break
			}
		}
	}
	for _, p := range buildPatterns() {
		if p.effect != threshold {
			continue
		}
		for _, s := range gained {
			if p.match.MatchString(s.text) {
				c.statementThreshold(p, s, lost)
			}
		}
		for _, s := range lost {
			c.lostStatement(s, gained)
		}
	}
	return nil
}

var focus = regexp.MustCompile(`filter_run(?:_including)?\s+:?focus`)

// steersInContext spares what is said of focused tests, and text in strings.
func steersInContext(tree *syntax.Tree, s statement) bool {
	if focus.MatchString(s.text) {
		return false
	}
	for n := range tree.All("string", "heredoc_body", "comment") {
		if n.StartLine() < s.line && n.EndLine() > s.line {
			return false
		}
	}
	return true
}
