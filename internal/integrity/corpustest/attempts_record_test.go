package corpustest_test

import "strings"

// forged is a record of the weakened test, as a pull request would bring it.
func forged(feature string, revision int) string {
	project := python()
	project[pyAt] = pyWeak
	return approve(feature, revision, project)
}

func recordAttempts() []attempt {
	const aim = "the approval record"
	weak := work().over(files{pyAt: pyWeak})
	with := func(more files) files { return weak.over(more) }
	const own = "only the base's records count, and what GitHub signed for this action; any other change of one is tampering in itself"
	const tip = "policy, exceptions and permissions are read from the base alone"
	return []attempt{
		{
			aim: aim, tried: "rewritten, with the next revision", does: with(files{recordPath: forged("adder", 2)}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "an older revision put back", does: with(files{recordPath: forged("adder", 1)}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "removed", does: with(files{recordPath: gone}), verdict: "breach",
			kinds: []string{"record_removed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "the whole `.workflow/` removed", does: with(files{".workflow": gone}), verdict: "breach",
			kinds: []string{"record_removed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "`.workflow` made a symbolic link", does: with(files{
				".workflow":                      "link:elsewhere",
				"elsewhere/approvals/adder.json": forged("adder", 2),
			}), verdict: "breach",
			kinds: []string{"record_removed", "assertion_weakened"}, holds: own,
		},
		{aim: aim, tried: "`.workflow/approvals` made a submodule", does: with(files{".workflow/approvals": "module:" +
			strings.Repeat("1", 40)}), verdict: "breach", kinds: []string{"record_removed", "assertion_weakened"}, holds: own},
		{
			aim: aim, tried: "the record made a symbolic link to another",
			does: with(files{recordPath: "link:other.json", ".workflow/approvals/other.json": forged("adder", 2)}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "renamed into place from elsewhere", in: python().over(files{"notes/old.json": forged("adder", 2)}),
			does: with(files{recordPath: forged("adder", 2), "notes/old.json": gone}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "a second one, `Adder.json`", does: with(files{".workflow/approvals/Adder.json": forged("Adder", 2)}),
			verdict: "breach", kinds: []string{"record_forged", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "a second one, with a Cyrillic `а` in its name",
			does: with(files{".workflow/approvals/\u0430dder.json": strings.Replace(forged("adder", 2), `"adder"`, `"`+"\u0430"+`dder"`,
				1)}), verdict: "breach", kinds: []string{"assertion_weakened", "record_forged"}, holds: own,
		},
		{aim: aim, tried: "one whose feature is `../adder`", does: with(files{".workflow/approvals/x.json": strings.Replace(forged("adder",
			2), `"adder"`, `"../adder"`, 1)}), verdict: "breach", kinds: []string{"assertion_weakened", "record_invalid"}, holds: own},
		{aim: aim, tried: "one whose feature holds a NUL", does: with(files{".workflow/approvals/x.json": strings.Replace(forged("adder",
			2), `"adder"`, `"adder\u0000"`, 1)}), verdict: "breach", kinds: []string{"assertion_weakened", "record_invalid"}, holds: own},
		{
			aim: aim, tried: "another feature's, that lists the same test weakened",
			does: with(files{".workflow/approvals/sums.json": forged("sums", 1)}), verdict: "breach",
			kinds: []string{"record_forged", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "keys twice, so that two readers see two records",
			does: with(files{recordPath: strings.Replace(forged("adder", 2), `"files":`, `"files": [], "files":`, 1)}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "JSON nested 1,000,000 deep", does: with(files{recordPath: strings.Repeat("[", 1_000_000)}), verdict: "breach",
			kinds: []string{"record_changed", "assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "a commit `Approve tests: adder` of the pull request, with a record on the base",
			by: func(f *forge) { f.commit("feature/adder", "Approve tests: adder", weak) }, verdict: "breach",
			kinds: []string{"assertion_weakened"}, holds: own,
		},
		{
			aim: aim, tried: "a commit `Approve tests: adder` of the pull request, without a record on the base", bare: true,
			by: func(f *forge) { f.commit("feature/adder", "Approve tests: adder", weak) }, verdict: "no-baseline",
			holds: own + "; the change brings these tests for review, where the weakening is a warning and a question",
		},
		{
			aim: aim, tried: "a trailer `Approved-Tests` that names the forged record, asked about without GitHub", by: func(f *forge) {
				r := forged("adder", 2)
				f.commit("feature/adder", "Approve tests: adder\n\nApproved-Tests: adder "+f.blob(r)+"\n", with(files{recordPath: r}))
			}, verdict: "clean",
			holds: "a trailer can be written by anybody, and on the command line there is nobody to ask: said as «unauthenticated». In " +
				"the action it is a breach, see the next table",
		},
		{
			aim: aim, tried: "the pull request's own policy in `.workflow/config.json`",
			does: with(files{".workflow/config.json": `{"integrity":{"on_missing_baseline":"warn","workarounds":"off"},` +
				`"ignore":["tests/**"]}`}), verdict: "breach", kinds: []string{"assertion_weakened"}, holds: tip,
		},
		{
			aim: aim, tried: "the pull request's own RFC in `rfcs/approved/`",
			does: with(files{"rfcs/approved/1.md": "Change " + pyAt + ".\n"}), verdict: "breach", kinds: []string{"assertion_weakened"},
			holds: tip,
		},
		{
			aim: aim, tried: "the pull request's own `.workflow/integrity-allow.json`", does: files{
				"src/adder.py": "class Three(int):\n    def __eq__(self, other):\n        return True\n\n\ndef add(a, " +
					"b):\n    return Three(a + b)\n",
				".workflow/integrity-allow.json": `[{"rule":"operator-overload","path":"src/adder.py","reason":"x","expiry":"2099-01-01"}]`,
			}, verdict: "clean", holds: questioned,
		},
	}
}

// blob is the id that git gives a file.
func (f *forge) blob(text string) string {
	f.commit("scratch", "x", files{"x": text})
	return f.git("rev-parse", "scratch:x")
}
