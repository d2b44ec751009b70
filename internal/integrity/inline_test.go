package integrity_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/change/changetest"
	"workflow-reviewer/internal/integrity/approval"
	"workflow-reviewer/internal/integrity/baseline"
)

const rustSource = `pub fn gcd(a: u64, b: u64) -> u64 {
    unimplemented!()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_multiples() {
        assert_eq!(gcd(12, 18), 6);
    }
}
`

// TestTestsInTheImplementation: of a source that holds its own tests only those
// are held to what was approved.
func TestTestsInTheImplementation(t *testing.T) {
	const done = "if b == 0 { a } else { gcd(b, a % b) }"
	implemented := strings.Replace(rustSource, "unimplemented!()", done, 1)
	code, _, _ := strings.Cut(implemented, "#[cfg")
	for name, c := range map[string]struct {
		path, head, want string
	}{
		"implemented": {"src/lib.rs", implemented, "clean"},
		"moved":       {"src/gcd.rs", rustSource, "clean"},
		"assertion gone": {
			"src/lib.rs", strings.Replace(implemented, "assert_eq!(gcd(12, 18), 6);", "gcd(12, 18);", 1),
			"breach assertion_removed src/lib.rs:11:after",
		},
		"tests gone":             {"src/lib.rs", code, "breach *"},
		"another condition":      {"src/lib.rs", strings.Replace(implemented, "#[cfg(test)]", `#[cfg(feature = "slow")]`, 1), "breach *"},
		"not for tests":          {"src/lib.rs", strings.Replace(implemented, "#[cfg(test)]", "#[cfg(not(test))]", 1), "breach *"},
		"whole file off":         {"src/lib.rs", "#![cfg(not(test))]\n" + implemented, "breach *"},
		"whole file off, hidden": {"src/lib.rs", "#![cfg_attr(test, cfg(feature = \"slow\"))]\n" + implemented, "breach *"},
		"lints, no_std": {"src/lib.rs", "#![cfg_attr(docsrs, feature(doc_cfg))]\n#![cfg_attr(not(feature = \"std\"), " +
			"no_std)]\n#![warn(missing_docs)]\n" + implemented, "clean"},
		"assertion shadowed": {"src/lib.rs", strings.Replace(implemented, "pub fn",
			"macro_rules! assert_eq { ($($t:tt)*) => {} }\n\npub fn", 1), "breach *"},
		"unparsable, same tests": {"src/lib.rs", strings.Replace(rustSource, "unimplemented!()", "if {", 1), "unverifiable"},
		"unparsable, other tests": {"src/lib.rs", strings.Replace(strings.Replace(rustSource, "unimplemented!()", "if {", 1), "18), 6",
			"18), 7", 1), "breach *"},
		"file gone": {"src/other.rs", "pub fn x() {}\n", "breach *"},
	} {
		t.Run(name, func(t *testing.T) {
			base := files{"src/lib.rs": rustSource}
			b := approvedAs(baseline.Given, files{"src/lib.rs": rustSource})
			b.Files[0].Role = approval.Test
			out := check(t, changetest.Set(base, base, files{c.path: c.head}), nil, b)
			got := told(out)
			if prefix, any := strings.CutSuffix(c.want, "*"); any && !strings.HasPrefix(got, prefix) || !any && got != c.want {
				t.Errorf("got %s\nwant %s\nharmless %q\nnot analysed %q", got, c.want, out.Harmless, out.NotAnalysed)
			}
		})
	}
}
