package corpustest_test

import "strings"

const (
	gateAt   = ".github/workflows/review.yml"
	gateText = "on: [pull_request]\npermissions:\n  contents: write\n  checks: write\njobs:\n  review:\n    runs-on: ubuntu-latest\n    " +
		"steps:\n      - uses: acme/workflow-reviewer@v1\n        with:\n          openai-api-key: ${{ secrets.OPENAI_API_KEY }}\n"
)

func gateAttempts() []attempt {
	const aim = "the gate itself"
	const outside = "found where the action still runs. Whoever changes the workflow changes what runs: let a ruleset require the " +
		"workflow (its file then comes from another place), or run on `pull_request_target`, whose file is the base's; require the check " +
		"`workflow-reviewer`, so that a run that is missing blocks"
	const rules = "files that GitHub reads from the base; protect them there, by code owners and rulesets"
	project := func() files { return python().over(files{gateAt: gateText}) }
	gate := func(old, new string) files { return work().over(files{gateAt: strings.Replace(gateText, old, new, 1)}) }
	return []attempt{
		{
			aim: aim, tried: "the workflow that runs this action deleted", in: project(), does: work().over(files{gateAt: gone}),
			verdict: "breach", kinds: []string{"ci_neutered"}, holds: outside,
		},
		{
			aim: aim, tried: "`if: false` at its job", in: project(), does: gate("    runs-on", "    if: false\n    runs-on"),
			verdict: "breach", kinds: []string{"ci_neutered"}, holds: outside,
		},
		{
			aim: aim, tried: "another action in its place", in: project(),
			does: gate("acme/workflow-reviewer@v1", "mallory/workflow-reviewer@v1"), verdict: "breach", kinds: []string{"config_changed"},
			holds: outside,
		},
		{
			aim: aim, tried: "`engine: rules`, `types: vision`", in: project(),
			does: gate("        with:\n", "        with:\n          engine: rules\n          types: vision\n"), verdict: "breach",
			kinds: []string{"config_changed"}, holds: outside,
		},
		{
			aim: aim, tried: "its triggers narrowed", in: project(), does: gate("on: [pull_request]", "on: [workflow_dispatch]"),
			verdict: "breach", kinds: []string{"ci_neutered"}, holds: outside,
		},
		{
			aim: aim, tried: "`CODEOWNERS` emptied", in: python().over(files{".github/CODEOWNERS": "* @acme/leads\n"}),
			does: work().over(files{".github/CODEOWNERS": "\n"}), verdict: "clean", holds: rules,
		},
	}
}
