package config_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workflow-reviewer/internal/config"
	"workflow-reviewer/internal/workflow"
)

func resolve(t *testing.T, env map[string]string, file string) (config.Config, []workflow.Finding, error) {
	t.Helper()
	in, err := config.ParseInputs(with(env))
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := config.ParseFile("config.json", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return config.Resolve(in, f)
}

func TestDefaults(t *testing.T) {
	got, notices, err := resolve(t, nil, "{}")
	if err != nil || len(notices) > 0 {
		t.Fatal(notices, err)
	}
	want := config.Config{
		Inputs: config.Inputs{
			APIKey: config.NewSecret("sk-key"), Endpoint: "https://api.openai.com/v1/responses",
			Engine: config.Codex, Mode: config.All, Types: workflow.Types(), ConfigPath: config.DefaultPath, Effort: "high",
			Commit: config.CommitAuto, Comment: true, InlineComments: workflow.Note, MaxParallel: 4, Timeout: 300 * time.Second,
			ReReviewLabel: "re-review", CodexPath: "codex", MaxShards: 20,
		},
		Enabled: true, SaveReviews: true, RetryDelay: 5 * time.Second,
		Context: []string{
			"CLAUDE.md", "AGENTS.md", "GUIDELINES.md", "SYSTEM_MAP.md", "REVIEW.md", "GEMINI.md",
			".github/copilot-instructions.md",
		},
		Thresholds: config.Coverage{Line: 80, Branch: 70}, MaxIterations: 3, OnError: "fail", FindingsBlock: "none",
		Integrity: config.IntegrityPolicy{Policy: "semantic", Baseline: "base", OnMissingBaseline: "fail", Workarounds: "block"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(config.Config{})); d != "" {
		t.Error(d)
	}
}

func TestEverySettingOfTheFile(t *testing.T) {
	got, _, err := resolve(t, map[string]string{"INPUT_CONFIG": "ci/review.json", "INPUT_TEST-RESULTS": "All passing"}, `{
		"auto_review":{"enabled":false,"review_model":"gpt-5-codex","reasoning_effort":"low","save_reviews":false,"save_requests":true,
			"commit_errors":true,"require_test_results":true,"retry_delay_s":0.5},
		"paths":{"bug_fixes":["bugs/*.md"]}, "features":{"pay":["pay/**"]}, "ignore":["docs/**"], "context":[],
		"prompts":{"specs":{"role":"w/role.md"}}, "thresholds":{"line_coverage":0,"branch_coverage":55.5},
		"integrity":{"policy":"strict","on_missing_baseline":"warn","protect":["t.sh"],"workarounds":"off"},
		"iterations":{"max":7}, "findings":{"block":"warning"}, "commits":{"prefix":"chore: "}, "on_error":"fail"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Inputs: config.Inputs{
			APIKey: config.NewSecret("sk-key"), Endpoint: "https://api.openai.com/v1/responses",
			Engine: config.Codex, Mode: config.All, Types: workflow.Types(), ConfigPath: "ci/review.json",
			Model: "gpt-5-codex", Effort: "low", AllPassing: true,
			Commit: config.CommitAuto, Comment: true, InlineComments: workflow.Note, MaxParallel: 4, Timeout: 300 * time.Second,
			ReReviewLabel: "re-review", CodexPath: "codex", MaxShards: 20,
		},
		Context: []string{}, SaveRequests: true, CommitErrors: true, RequireTestResults: true,
		RetryDelay: 500 * time.Millisecond,
		Globs:      map[workflow.Type][]string{workflow.BugFix: {"bugs/*.md"}}, Features: map[string][]string{"pay": {"pay/**"}},
		Ignore: []string{"docs/**"}, Prompts: map[workflow.Type]config.Prompt{workflow.Spec: {Role: "w/role.md"}},
		Thresholds: config.Coverage{Branch: 55.5}, MaxIterations: 7, OnError: "fail",
		FindingsBlock: "warning", CommitPrefix: "chore:",
		Integrity: config.IntegrityPolicy{
			Policy: "strict", Baseline: "base", OnMissingBaseline: "warn",
			Protect: []string{"t.sh"}, Workarounds: "off",
		},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(config.Config{})); d != "" {
		t.Error(d)
	}
}

func TestAutoMove(t *testing.T) {
	tests := map[string]struct{ input, file, want string }{
		"nothing said": {"", `{}`, ""},
		"default for all": {
			"", `{"auto_review":{"default_auto_move":true}}`,
			"vision scope roadmap spec skeleton tests implementation bug-fix",
		},
		"overrides": {
			"", `{"auto_review":{"auto_move_overrides":{"spec":true,"implementation":true,"test":false}}}`,
			"spec implementation",
		},
		"override against default": {
			"", `{"auto_review":{"default_auto_move":true,"auto_move_overrides":{"bugfix":false}}}`,
			"vision scope roadmap spec skeleton tests implementation",
		},
		"by plural type": {
			"", `{"auto_review":{"auto_move_on_approval":{"specs":true,"tests":false,"implementations":true}}}`,
			"spec implementation",
		},
		"one boolean": {
			"", `{"auto_review":{"auto_move_on_approval":true,"auto_move_overrides":{"tests":false}}}`,
			"vision scope roadmap spec skeleton implementation bug-fix",
		},
		"input over the config, off": {"false", `{"auto_review":{"auto_move_overrides":{"spec":true}}}`, ""},
		"input over the config, on": {
			"true", `{"auto_review":{"auto_move_overrides":{"spec":false}}}`,
			"vision scope roadmap spec skeleton tests implementation bug-fix",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cfg, _, err := resolve(t, map[string]string{"INPUT_AUTO-MOVE": tt.input}, tt.file)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, typ := range workflow.Types() {
				if cfg.AutoMove(typ) {
					got = append(got, string(typ))
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("moves %q, want %q", got, tt.want)
			}
		})
	}
}

func TestInputsWinOverTheFile(t *testing.T) {
	cfg, _, err := resolve(t, map[string]string{"INPUT_MODEL": "m", "INPUT_EFFORT": "medium"},
		`{"auto_review":{"review_model":"n","reasoning_effort":"low"}}`)
	if err != nil || cfg.Model != "m" || cfg.Effort != "medium" {
		t.Errorf("model %q, effort %q, error %v", cfg.Model, cfg.Effort, err)
	}
}

// TestTimeoutSeconds: the input says its unit, and wins over its earlier name.
func TestTimeoutSeconds(t *testing.T) {
	for _, c := range []struct {
		vars map[string]string
		want time.Duration
	}{
		{map[string]string{}, 300 * time.Second},
		{map[string]string{"INPUT_TIMEOUT": "60"}, time.Minute},
		{map[string]string{"INPUT_TIMEOUT-SECONDS": "90"}, 90 * time.Second},
		{map[string]string{"INPUT_TIMEOUT": "300", "INPUT_TIMEOUT-SECONDS": "90"}, 90 * time.Second},
	} {
		in, err := config.ParseInputs(c.vars)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := config.Resolve(in, config.File{})
		if err != nil || got.Timeout != c.want {
			t.Errorf("%v: %s, %v", c.vars, got.Timeout, err)
		}
	}
	for _, bad := range []string{"0", "21601", "5m", "-1"} {
		if _, err := config.ParseInputs(map[string]string{"INPUT_TIMEOUT-SECONDS": bad}); err == nil ||
			!strings.Contains(err.Error(), `input "timeout-seconds"`) {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestContradictionsAreRefused(t *testing.T) {
	_, _, err := resolve(t, nil, `{"require_test_results":true,"auto_review":{"require_test_results":false,
		"default_auto_move":true,"auto_move_on_approval":false}}`)
	want := `.workflow/config.json: require_test_results is true but auto_review.require_test_results is false; keep one of them
.workflow/config.json: auto_review.auto_move_on_approval is false but auto_review.default_auto_move is true; keep one of them`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	_, _, err = resolve(t, nil, `{"auto_review":{"auto_move_on_approval":{"specs":true},"auto_move_overrides":{"spec":false}}}`)
	want = `.workflow/config.json: auto_review.auto_move_on_approval.specs is true but auto_review.auto_move_overrides.spec is false; ` +
		`keep one of them`
	if got := fmt.Sprint(err); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestUnusualSettingsAreNoticed(t *testing.T) {
	_, got, err := resolve(t, map[string]string{
		"INPUT_EFFORT": "extreme", "INPUT_SHARD": "2", "INPUT_RESPONSES-API-ENDPOINT": "https://gateway.example/v1",
	}, "{}")
	if err != nil {
		t.Fatal(err)
	}
	want := []workflow.Finding{
		{Level: workflow.Warn, Text: `effort "extreme" is passed on to codex as it is; the known ones are none, minimal, low, ` +
			`medium, high, xhigh, max, ultra`},
		{Level: workflow.Warn, Text: `responses-api-endpoint "https://gateway.example/v1" does not end in /responses; it must be the full URL ` +
			`that reviews are posted to`},
		{Level: workflow.Warn, Text: `input "shard" has no effect in mode "all"`},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestPolicyFollowsTheSettings(t *testing.T) {
	seen := map[string]string{}
	for _, file := range []string{
		`{}`, `{"thresholds":{"line_coverage":81}}`, `{"thresholds":{"branch_coverage":71}}`, `{"iterations":{"max":4}}`,
		`{"require_test_results":true}`, `{"integrity":{"policy":"strict"}}`, `{"integrity":{"protect":["a"]}}`,
	} {
		cfg, _, err := resolve(t, nil, file)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[cfg.Policy()]; ok {
			t.Errorf("%s and %s have the same policy %s", file, other, cfg.Policy())
		}
		seen[cfg.Policy()] = file
	}
}
