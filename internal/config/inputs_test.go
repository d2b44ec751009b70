package config_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/workflow"
)

// with is the smallest valid environment plus the given variables.
func with(vars map[string]string) map[string]string {
	env := map[string]string{"INPUT_OPENAI-API-KEY": "sk-key"}
	maps.Copy(env, vars)
	return env
}

func TestInputDefaults(t *testing.T) {
	in, err := config.ParseInputs(with(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Inputs{
		APIKey: config.NewSecret("sk-key"), Endpoint: "https://api.openai.com/v1/responses",
		Engine: config.Codex, Mode: config.All, ConfigPath: ".workflow/config.json",
		Types: workflow.Types(), Commit: config.CommitAuto, Comment: true, InlineComments: workflow.Note,
		MaxParallel: 4, Timeout: 300 * time.Second, ReReviewLabel: "re-review", CodexPath: "codex", MaxShards: 20,
	}
	if d := cmp.Diff(want, in); d != "" {
		t.Error(d)
	}
}

func TestInputValues(t *testing.T) {
	yes := true
	in, err := config.ParseInputs(with(map[string]string{
		"INPUT_GITHUB-TOKEN":           " ghs_x\n",
		"INPUT_RESPONSES-API-ENDPOINT": "http://127.0.0.1:8080/v1/responses",
		"INPUT_TYPES":                  "Tests, specs\nbug_fix,spec",
		"INPUT_PATHS":                  "./specs/proposed/a.md\n\n  docs/VISION.md\r\n",
		"INPUT_MODEL":                  "gpt-5-codex",
		"INPUT_EFFORT":                 "xhigh",
		"INPUT_AUTO-MOVE":              "true",
		"INPUT_COMMENT":                "false",
		"INPUT_TEST-RESULTS":           "out/{unit,e2e}/*.xml, more.json",
		"INPUT_COVERAGE-REPORT":        "coverage.xml",
		"INPUT_MAX-TOKENS":             "250000",
		"INPUT_TIMEOUT":                "",
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Inputs{
		Token: config.NewSecret("ghs_x"), APIKey: config.NewSecret("sk-key"),
		Endpoint: "http://127.0.0.1:8080/v1/responses", Engine: config.Codex, Mode: config.All,
		Types: []workflow.Type{workflow.Spec, workflow.Tests, workflow.BugFix},
		Paths: []string{"specs/proposed/a.md", "docs/VISION.md"}, ConfigPath: ".workflow/config.json",
		Model: "gpt-5-codex", Effort: "xhigh", MoveAll: &yes, Commit: config.CommitAuto, InlineComments: workflow.Note,
		TestResults: []string{"out/{unit,e2e}/*.xml", "more.json"}, Coverage: []string{"coverage.xml"},
		MaxParallel: 4, Timeout: 300 * time.Second, MaxTokens: 250000, ReReviewLabel: "re-review", CodexPath: "codex", MaxShards: 20,
	}
	if d := cmp.Diff(want, in); d != "" {
		t.Error(d)
	}
}

func TestUnderscoreSpelling(t *testing.T) {
	in, err := config.ParseInputs(map[string]string{
		"INPUT_OPENAI_API_KEY": "a", "INPUT_GITHUB_TOKEN": "underscore",
		"INPUT_GITHUB-TOKEN": "hyphen",
	})
	if err != nil {
		t.Fatal(err)
	}
	if in.APIKey.Reveal() != "a" || in.Token.Reveal() != "hyphen" {
		t.Errorf("key %q, token %q; want the underscore form, and the hyphen form where there are both",
			in.APIKey.Reveal(), in.Token.Reveal())
	}
}

func TestBadInputs(t *testing.T) {
	tests := []struct{ input, value, want string }{
		{"engine", "gpt", `"gpt" is not one of codex, rules`},
		{"mode", "everything", `"everything" is not one of all, plan, review, report, gate`},
		{"shard", "0", `"0" is not a whole number from 1 to 256`},
		{"shard", "one", `"one" is not a whole number from 1 to 256`},
		{"max-shards", "257", `"257" is not a whole number from 1 to 256`},
		{"commit", "force", `"force" is not one of auto, api, push, off`},
		{"comment", "yes", `"yes" is not one of true, false`},
		{"inline-comments", "True", `"True" is not one of true, false, high, medium, low`},
		{"auto-move", "1", `"1" is not one of true, false`},
		{"types", "spec,sepc", `"spec,sepc" names "sepc", which is not one of vision, scope, roadmap, spec, skeleton, tests, ` +
			`implementation, bug-fix`},
		{"paths", "../x", `"../x" names "../x", which is not a file below the repository's root`},
		{"paths", "/etc/passwd", `"/etc/passwd" names "/etc/passwd", which is an absolute path; paths are relative to the repository's ` +
			`root`},
		{"config", "..", `".." is not a file below the repository's root`},
		{"coverage-report", "a.xml\n[b", `"a.xml\n[b" names "[b", which is not a valid glob pattern`},
		{"evidence", "/w/../../x", `"/w/../../x" names "/w/../../x", which is not a file below the repository's root`},
		{"test-results", "{a", `"{a" names "{a", which is not a valid glob pattern`},
		{"max-parallel", "0", `"0" is not a whole number from 1 to 64`},
		{"max-parallel", "four", `"four" is not a whole number from 1 to 64`},
		{"timeout", "-5", `"-5" is not a whole number from 1 to 21600`},
		{"max-tokens", "1e6", `"1e6" is not a whole number from 0 to 1000000000000`},
		{
			"responses-api-endpoint", "http://example.com/v1/responses",
			`"http://example.com/v1/responses" is neither https nor http to a loopback address`,
		},
		{
			"responses-api-endpoint", "api.openai.com",
			`"api.openai.com" is not the full URL of a Responses API, such as https://api.openai.com/v1/responses`,
		},
		{
			"responses-api-endpoint", "https://me:pass@h/responses",
			`"https://***@h/responses" holds a user name or password; pass the key as openai-api-key`,
		},
		{"openai-api-key", "Bearer sk-canary", `*** begins with "Bearer "; pass the key or token alone`},
		{"openai-api-key", "bearer sk-canary", `*** begins with "Bearer "; pass the key or token alone`},
		{"openai-api-key", "OPENAI_API_KEY=sk-canary", `*** begins with "OPENAI_API_KEY="; pass the key or token alone`},
		{"openai-api-key", `"sk-canary"`, badSecret},
		{"openai-api-key", "sk-canary\nsk-other", badSecret},
		{"openai-api-key", "sk-canary\u200b", badSecret},
		{"github-token", "token ghs_canary", `*** begins with "token "; pass the key or token alone`},
		{"model", "-c evil", `"-c evil" is not a name of at most 128 letters, digits and . _ : / -`},
		{"effort", "high\x00", `"high\x00" is not a name of at most 128 letters, digits and . _ : / -`},
		{"re-review-label", strings.Repeat("x", 51), `"` + strings.Repeat("x", 51) + `" is not a label's name of at most 50 characters`},
	}
	for _, tt := range tests {
		t.Run(tt.input+"="+tt.value, func(t *testing.T) {
			_, err := config.ParseInputs(with(map[string]string{"INPUT_" + strings.ToUpper(tt.input): tt.value}))
			want := fmt.Sprintf("input %q: %s", tt.input, tt.want)
			if got := fmt.Sprint(err); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestAllInputProblemsTogether(t *testing.T) {
	in, err := config.ParseInputs(map[string]string{
		"INPUT_GITHUB-TOKEN": "ghs_secret", "INPUT_COMMIT": "x", "INPUT_TIMEOUT": "0", "INPUT_TYPES": "y",
	})
	if n := strings.Count(fmt.Sprint(err), "\n") + 1; n != 3 {
		t.Errorf("%d lines, want one for each of commit, types and timeout:\n%v", n, err)
	}
	if strings.Contains(fmt.Sprint(err), "ghs_secret") {
		t.Errorf("the error shows the token: %v", err)
	}
	if in.Token.Reveal() != "ghs_secret" {
		t.Error("the token is lost, although it is needed to report the problems")
	}
}

func TestRequiredInputs(t *testing.T) {
	for _, mode := range []string{"all", "review", "plan", "report", "gate"} {
		if _, err := config.ParseInputs(map[string]string{"INPUT_MODE": mode, "INPUT_SHARD": "1"}); err != nil {
			t.Errorf("mode %s without a key: %v", mode, err)
		}
	}
	if _, err := config.ParseInputs(map[string]string{"INPUT_MODE": "review", "INPUT_ENGINE": "rules"}); err == nil {
		t.Error("mode review runs without a shard")
	}
}

func TestSecretIsNeverFormatted(t *testing.T) {
	type hidden struct{ inner config.Secret }
	s := config.NewSecret("canary")
	asJSON, err := json.Marshal(map[string]any{"a": s})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %q %x %s %d", s, s, s, s, s, s, s), fmt.Sprintf("%+v", hidden{s}),
		fmt.Sprintf("%#v", config.Config{Inputs: config.Inputs{APIKey: s}}), fmt.Sprintf("%+v", config.Inputs{Token: s}), string(asJSON),
	} {
		if strings.Contains(text, "canary") || strings.Contains(text, fmt.Sprintf("%x", "canary")) {
			t.Errorf("secret is in %s", text)
		}
	}
	if s.Reveal() != "canary" {
		t.Errorf("Reveal gives %q", s.Reveal())
	}
}

// Whatever the inputs hold, nothing panics, every problem is one line, and no
// problem means that the values obey their rules.
func FuzzParseInputs(f *testing.F) {
	f.Add("spec,tests", "specs/a.md\nb", "out/{a,b}/*.xml", "https://h/v1/responses", "4", "gpt-5")
	f.Add("x", "../x", "[", "http://h", "-1", "-c")
	f.Fuzz(func(t *testing.T, types, paths, globs, endpoint, parallel, model string) {
		in, err := config.ParseInputs(with(map[string]string{
			"INPUT_TYPES": types, "INPUT_PATHS": paths, "INPUT_TEST-RESULTS": globs, "INPUT_COVERAGE-REPORT": globs,
			"INPUT_RESPONSES-API-ENDPOINT": endpoint, "INPUT_MAX-PARALLEL": parallel, "INPUT_MODEL": model,
		}))
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, `input "`) {
					t.Errorf("a problem does not name its input: %q", line)
				}
			}
			return
		}
		for _, p := range in.Paths {
			if !filepath.IsLocal(p) {
				t.Errorf("path %q leaves the root", p)
			}
		}
		if in.MaxParallel < 1 || strings.HasPrefix(in.Model, "-") {
			t.Errorf("accepted %d, %q", in.MaxParallel, in.Model)
		}
	})
}

const badSecret = "*** holds white space, quotes or other characters that no key or token has; pass it alone, on one line"
