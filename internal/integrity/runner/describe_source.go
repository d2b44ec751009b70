package runner

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
	"workflow-reviewer/internal/lazyregexp"
	"workflow-reviewer/internal/syntax"
)

// The words for statements of files that a runner loads by itself. They say
// what a statement looks like, once it is known to be no harmless one.

type sourceLook struct {
	look
	oneLine bool
}

var builtinMatcher = expression("builtinMatcher")

var sourceLooks = func() (out []sourceLook) {
	for _, line := range listed("looks") {
		f := strings.Split(line, "\t")
		out = append(out, sourceLook{look{violation.Kind(f[0]), f[2], lazyregexp.New(f[3])}, f[1] == "one line"})
	}
	return out
}()

// describeSource says what an added statement looks like, at the lines that show it; at its first line if none does.
func describeSource(n syntax.Node) []finding {
	var out []finding
	lines := map[int]bool{}
	n.Walk(func(s syntax.Node) bool {
		isLeaf := s.Is("expression_statement", "return_statement", "raise_statement", "delete_statement", "with_item", "call_expression",
			"assignment_expression", "except_clause", "function_definition")
		if key := s.Field("key").Text() + s.Field("name").Text(); s.Is("pair", "method_definition") && builtinMatcher.MatchString(key) &&
			!lines[s.StartLine()] {
			lines[s.StartLine()] = true
			out = append(out, finding{violation.ConftestHook, 0, s.StartLine(), "An assertion of the framework is replaced: " +
				cut(s.Text())})
		}
		if !isLeaf || lines[s.StartLine()] {
			return true
		}
		text := strings.TrimSuffix(canon(s), " ;")
		if s.Is("function_definition") {
			text = "def " + s.Field("name").Text()
		}
		for _, l := range sourceLooks {
			if l.match.MatchString(text) && (!l.oneLine || s.StartLine() == s.EndLine()) {
				lines[s.StartLine()] = true
				out = append(out, finding{l.kind, 0, s.StartLine(), l.what + ": " + cut(s.Text())})
				break
			}
		}
		return true
	})
	if len(out) == 0 {
		kind, text := violation.AutoloadedFile, canon(n)
		if strings.Contains(text, "def load_tests") || strings.Contains(text, "def pytest_") && strings.Contains(text, "except") {
			kind = violation.ConftestHook
		}
		out = append(out, finding{kind, 0, n.StartLine(), "A file that the test runner loads may steer tests: " + cut(n.Text())})
	}
	return out[:min(2, len(out))]
}
