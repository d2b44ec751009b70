package runner

import (
	"strings"

	"workflow-reviewer/internal/integrity/violation"
)

func (d difference) describe() []finding {
	switch d.rule.allowance {
	case "args":
		t := toolNamed(d.rule.arg)
		var out []finding
		for _, f := range t.compareArgs(t.parse(argsOf(d.was)), t.parse(argsOf(d.is))) {
			out = append(out, d.argument(f))
		}
		return out
	case "shell":
		return compareScripts(violation.TestScriptNeutered, shellOf(d.was), shellOf(d.is))
	}
	was, is := lineOf(d.was), lineOf(d.is)
	switch gained, lost := firstNew(d.was, d.is), firstNew(d.is, d.was); {
	case gained.line > 0 && d.was != nil:
		is = gained.line
	case lost.line > was && d.is != nil:
		was, is = lost.line, 0
	}
	kind, what := kindOf(d)
	return []finding{{kind, was, is, what + ": " + d.name() + " " + became(d.was, d.is)}}
}

func (d difference) argument(f finding) finding {
	f.kind = orKind(f.kind, violation.ConfigNarrowed)
	if f.was == 0 {
		f.was = lineOf(d.was)
	}
	if f.is == 0 && d.is != nil && f.was == lineOf(d.was) {
		f.is = lineOf(d.is)
	}
	return f
}

func orKind(k, or violation.Kind) violation.Kind {
	if k == "" {
		return or
	}
	return k
}

func kindOf(d difference) (violation.Kind, string) {
	key := d.key()
	last := key[strings.LastIndexByte(key, '/')+1:]
	switch {
	case loading.MatchString(last) && last == "script-shell", last == "node-options":
		return violation.TestScriptNeutered, "Tests run in a changed environment"
	case d.rule.allowance == "lower" && aboutRetries.MatchString(key):
		return violation.RetriesAdded, "Failing tests are retried"
	case d.rule.allowance == "version":
		return violation.ConfigNarrowed, "Package replaced"
	case aboutThreshold.MatchString(key):
		return violation.ThresholdLowered, "Threshold lowered"
	case last == "envlist" || last == "pythonpath" || strings.HasPrefix(key, "imports/") || strings.Contains(key, "paths/") || strings.HasPrefix(key, "presets") || strings.HasPrefix(key, "plugins"):
		return violation.ConfigChanged, "Tests run in a changed environment"
	case last == "ignore_outcome", last == "ignore_errors":
		return violation.TestScriptNeutered, "Test failures are ignored"
	case d.rule.allowance == "on", d.rule.allowance == "off", aboutLeniency.MatchString(last):
		return violation.ConfigNarrowed, "Test run made lenient"
	case loading.MatchString(key):
		return violation.ConfigNarrowed, "Tests run in a changed environment"
	case d.rule.allowance == "gone":
		return violation.ConfigNarrowed, "Tests deselected"
	case d.rule.allowance == "more", d.rule.allowance == "fewer", aboutSelection.MatchString(key), expression.MatchString(strings.Join(d.is.texts(), " ")):
		return violation.ConfigNarrowed, "Test collection changed"
	case aboutRetries.MatchString(key):
		return violation.RetriesAdded, "Failing tests are retried"
	default:
		return violation.ConfigChanged, "Test configuration changed"
	}
}

func became(was, is *option) string {
	switch {
	case was == nil:
		return "was set to " + quoted(is.texts())
	case is == nil:
		return "was removed, it was " + quoted(was.texts())
	default:
		return "changed from " + quoted(was.texts()) + " to " + quoted(is.texts())
	}
}

func (d difference) name() string {
	o := d.is
	if o == nil {
		o = d.was
	}
	if strings.Count(o.key, "/") < 4 {
		return o.name
	}
	parts := strings.Split(o.name, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

func lineOf(o *option) int {
	if o == nil {
		return 0
	}
	return o.line
}
