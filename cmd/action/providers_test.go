package main_test

import (
	"cmp"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"workflow-reviewer/internal/codex/codextest"
)

// recipe is an example of docs/providers.md: inputs of the action, or the flags
// of a command.
type recipe struct{ endpoint, model string }

func recipes(t *testing.T) map[string]recipe {
	t.Helper()
	page := read(t, "../../docs/providers.md")
	out := map[string]recipe{}
	for _, section := range strings.Split(page, "\n## ")[1:] {
		title, _, _ := strings.Cut(section, "\n")
		for _, m := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(section, -1) {
			var w struct {
				Jobs map[string]struct {
					Steps []struct{ With map[string]string }
				}
			}
			if err := yaml.Unmarshal([]byte(m[1]), &w); err != nil {
				t.Fatal(err)
			}
			with := w.Jobs["review"].Steps[0].With
			out[title] = recipe{with["responses-api-endpoint"], with["model"]}
		}
		if m := regexp.MustCompile(`--endpoint (\S+) --model (\S+)`).FindStringSubmatch(section); m != nil {
			out[title+" (local)"] = recipe{m[1], m[2]}
		}
		if m := regexp.MustCompile("undated path `([^`]+)`").FindStringSubmatch(section); m != nil {
			out[title+" (undated)"] = recipe{m[1], "my-deployment"}
		}
	}
	return out
}

// quirks are what the providers of the recipes do in other ways.
func quirks() map[string]codextest.Provider {
	azure := codextest.Provider{
		Path: "/openai/responses", Query: "api-version=2025-04-01-preview", KeyHeader: "Api-Key", Models: []string{"my-deployment"},
		NotFound:     `{"error":{"code":"404","message":"Resource not found"}}`,
		Unauthorized: `{"statusCode":401,"message":"Access denied due to invalid subscription key or wrong API endpoint."}`,
		NoModel:      `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`,
	}
	undated := azure
	undated.Path, undated.Query = "/openai/v1/responses", ""
	// A stand-in on loopback shows nothing of Azure's host, by which the header is
	// chosen: see TestKeyHeader. Azure takes a key as others do on this path.
	undated.KeyHeader = ""
	own := codextest.Provider{
		Path: "/v1/responses", Models: []string{"gpt-oss:20b"}, Event: codextest.Without("usage"),
		NotFound: `{"error":"Unexpected endpoint or method."}`, NoModel: `{"error":"model not found, try pulling it first"}`,
	}
	return map[string]codextest.Provider{
		"OpenRouter": {
			Path: "/api/v1/responses", Models: []string{"openai/gpt-5.5"}, Comments: true, Event: codextest.Without("status"),
			NotFound:     `{"error":{"code":404,"message":"Not Found"}}`,
			Unauthorized: `{"error":{"code":401,"message":"No auth credentials found"}}`,
			NoModel:      `{"error":{"code":404,"message":"No endpoints found for it."}}`,
		},
		"Azure OpenAI": azure, "Azure OpenAI (undated)": undated,
		"A server of your own": own, "A server of your own (local)": own,
	}
}

// TestProviderRecipes does what docs/providers.md says, against a stand-in for
// each provider: it approves; with another model or another path it is an error
// that says so; a model that ignores the form of the answer is understood.
func TestProviderRecipes(t *testing.T) {
	found, providers := recipes(t), quirks()
	if len(found) != len(providers) {
		t.Fatalf("%d recipes, %d stand-ins", len(found), len(providers))
	}
	plain := codextest.Message("The spec is testable and complete.\n\n**Decision:** APPROVED")
	for title, r := range found {
		p := providers[title]
		for name, c := range map[string]struct {
			model, path string // in place of the recipe's
			answer      codextest.Response
			code        int
			says        string
		}{
			"as it stands": {answer: answer("APPROVED")},
			"plain text":   {answer: plain, code: 1, says: "NEEDS-CHANGES"},
			"another model": {
				model: "gpt-nonesuch", answer: answer("APPROVED"), code: 2, says: "Codex API does not know the model (404): ",
			},
			"not its path": {
				path: "/v1/chat/completions", answer: answer("APPROVED"), code: 2,
				says: "the endpoint has no Responses API at /v1/chat/completions (404)",
			},
			"a budget is set": {answer: answer("APPROVED")},
		} {
			if strings.HasSuffix(title, ")") && name != "as it stands" { // a variant
				continue
			}
			t.Run(title+"/"+name, func(t *testing.T) {
				t.Parallel()
				w := specWorld(t, codextest.Always(c.answer))
				if name == "as it stands" {
					w.withCodex()
				}
				w.inputs["responses-api-endpoint"] = moved(t, r.endpoint, p.Serve(t, canaryKey, w.model), c.path)
				w.inputs["model"] = cmp.Or(c.model, r.model)
				if name == "a budget is set" {
					w.inputs["max-tokens"] = "100000"
					if p.Event != nil && strings.HasPrefix(title, "A server") {
						c.code, c.says = 2, "does not say how many tokens it used"
					}
				}
				o := w.run(w.pull("opened"))
				o.ends(c.code, map[int]string{0: "APPROVED", 1: "NEEDS-CHANGES", 2: "ERROR"}[c.code])
				text := o.saved(o.reviews()[0].Path)
				if !strings.Contains(text, c.says) || strings.Contains(text, canaryKey) {
					t.Errorf("the review does not say %q:\n%s", c.says, text)
				}
				if !slices.ContainsFunc(w.model.Requests(), func(r codextest.Request) bool { return r.Model == w.inputs["model"] }) {
					t.Error("the model was not asked for by its name")
				}
			})
		}
	}
}

// moved is an endpoint at another address, at a path of its own if one is given.
func moved(t *testing.T, endpoint, to, path string) string {
	t.Helper()
	u, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	u.Scheme, u.Host, u.Path = at.Scheme, at.Host, cmp.Or(path, u.Path)
	return u.String()
}

// TestLocalProvider runs the command of docs/providers.md, with a key that the
// server does not look at.
func TestLocalProvider(t *testing.T) {
	t.Parallel()
	const title = "A server of your own (local)"
	r := recipes(t)[title]
	w := specWorld(t, codextest.Always(answer("APPROVED"))).withCodex()
	dir := filepath.Join(t.TempDir(), "clone")
	gitIn(t, t.TempDir(), "clone", "-q", "--branch=feature/login", w.repo.Dir, dir)
	cmd := exec.Command(binary, "local", "--repo", dir, "--base", "origin/main", "--engine", "codex", "--codex-path", codextest.Binary(t),
		"--endpoint", moved(t, r.endpoint, quirks()[title].Serve(t, "none", w.model), ""), "--model", r.model)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(), "OPENAI_API_KEY=none"}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "APPROVED") || !strings.Contains(string(out), "does not say how many tokens") {
		t.Errorf("%v\n%s", err, out)
	}
}
