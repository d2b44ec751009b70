package rules_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/workflow"
)

// TestExecWithNamespace: who gives code a namespace of its own runs it on purpose, which is
// told, and blocks only where a request brings the code.
func TestExecWithNamespace(t *testing.T) {
	for text, want := range map[string]workflow.Severity{
		"def run(code):\n    exec(code)\n":                                       workflow.High,
		"def run(code):\n    ns = {'a': 1}\n    exec(code, ns)\n":                workflow.Low,
		"def run(text):\n    return eval(text, {'__builtins__': {}})\n":          workflow.High,
		"def view(request):\n    ns = {}\n    exec(request.POST['code'], ns)\n":  workflow.High,
		"def view(request):\n    c = request.POST['c']\n    exec(c, {'a': 1})\n": workflow.High,
	} {
		got := found(t, input(workflow.Implementation, nil, one("src/run.py", text), "src/run.py"), "code/dynamic-code")
		if len(got) != 1 || got[0].Severity != want {
			t.Errorf("%q: %+v, want %s", text, got, want)
		}
	}
}

// TestSample39: what the people who judged samples 39 to 43 were right about. A finding that
// is only counted is none.
func TestSample39(t *testing.T) {
	const (
		py, kit     = "src/a.py", "specs/001-cart/spec.md"
		delta       = "openspec/changes/x/specs/cart/spec.md"
		requirement = "## ADDED Requirements\n\n### Requirement: Sum\nThe cart SHALL show its sum.\n\n"
		prose       = "# Cart\n\nA visitor keeps a basket of goods between visits, sees what they cost together with the " +
			"taxes of the country, and can leave one out again without starting from the very beginning.\n"
		listed = prose + "\n## Requirements\n\n- The sum is shown.\n- Taxes are shown apart.\n- A row can be left out.\n"
		anys   = "const first: any = load();\nconst second: any = load();\nconst third: any = load();\nconst fourth: any = load();\n"
	)
	try := func(body string) string {
		return "def f(self):\n    try:\n        " + body + "\n    except Exception:\n        pass\n"
	}
	goTests := func(kind string) string {
		text := "package a\n"
		for _, name := range []string{"One", "Two", "Three"} {
			text += "\nfunc " + kind + name + "(t *testing.T) {\n\tt.Run(\"a\", func(t *testing.T) {\n\t\trun(1)\n\t})\n}\n"
		}
		return text
	}
	long := strings.Repeat("def shop():\n    return compute(1, 2)\n\n\n", 520)
	key := "\"AKIA" + "QYLPMN5HHHFPZAM2\"" // in two, for those who look for keys here
	for name, c := range map[string]struct {
		rule      string
		before    map[string]string
		file      string
		bad, good string
	}{
		"a callback that fails": {"code/swallowed-error", nil, py, try("self.save(row)"), try("self._on_progress(1)")},
		"a note of the usage":   {"code/swallowed-error", nil, py, try("book_usage(row)"), try("log_usage(row)")},
		"a scenario beside it": {
			"spec/requirement-without-scenario", nil, delta, requirement,
			requirement + "### Scenario: One\n- **WHEN** a\n- **THEN** 3\n",
		},
		"demands in a list": {"spec/no-acceptance-criteria", nil, kit, prose, listed},
		"a split file": {
			"code/oversized-file", one("src/old.py", long), py, strings.ReplaceAll(long, "compute", "calculate"), long,
		},
		"a file that is emptied": {
			"code/untyped", one("src/old.ts", anys), "src/new.ts", strings.ReplaceAll(anys, "load", "read"), anys,
		},
		"a signed address": {
			"code/secret", nil, py, "key = " + key + "\n",
			"url = 'https://a.example/b?AWSAccessKeyId=" + strings.Trim(key, "\"") + "&Expires=1'\n",
		},
		"what names a secret": {
			"code/secret", nil, py, "user_secrets = 'kX9#mQ2vLp7w'\n", "USER_SECRETS_ID = '74395325-16b4-4b59-8a0c-78c9b9afddc1'\n",
		},
		"a hash": {"code/secret", nil, py, "db_password = 'kX9#mQ2vLp7w'\n", "password_hash = 'kX9#mQ2vLp7w'\n"},
		"a list for a command": {
			"code/shell-injection", nil, "lib/a.rb", "def f(branch)\n  system(\"git show #{branch}\")\nend\n",
			"def f(branch)\n  system('git', 'show', \"refs/heads/#{branch}\")\nend\n",
		},
		"filler to be replaced": {
			"document/placeholder", nil, kit, prose + "\nLorem ipsum dolor sit amet.\n",
			prose + "\nReplace lorem ipsum text by what users wrote.\n",
		},
		"a list of things to do": {
			"document/placeholder", nil, kit, prose + "\n## Purpose\n\nTODO\n", prose + "\n## Purpose\n\n技能列表中显示 TODO 标记\n",
		},
		"a document about TODO lists": {
			"document/placeholder", nil, kit, prose + "\n## Purpose\n\nTODO\n", prose + "\n## TODO marks\n\nShows what needs a TODO.\n",
		},
		"two keys": {
			"document/duplicate-heading", nil, kit, prose + "\n## Press g\n\nUp.\n\n## Press g\n\nDown.\n",
			prose + "\n## Press g\n\nUp.\n\n## Press G\n\nDown.\n",
		},
		"a class of a style": {
			"code/unsafe-html", nil, py, "def f(text):\n    return Markup(f'<p>{text}</p>')\n",
			"def f(cls):\n    return Markup(f'<p class=\"{cls}\"></p>')\n",
		},
		"a count": {
			"code/swallowed-error", nil, py, try("self.save(row)"), try("metrics.track_read('rows')"),
		},
		"a principle in words": {
			"document/placeholder", nil, kit, prose + "\n## Limits\n\nThe limit is to be defined.\n",
			prose + "\n## Limits\n\nIt hears a problem to be defined.\n",
		},
		"a file of notes": {
			"document/placeholder", nil, kit, prose + "\n## Purpose\n\nTODO\n", prose + "\n## Out of scope\n\n- Taxes (in TODO.md 2.7)\n",
		},
		"a note in code": {
			"document/placeholder", nil, kit, prose + "\n## Purpose\n\nTODO\n", prose + "\n**State**: only an endpoint with TODO\n",
		},
		"a label": {
			"document/placeholder", nil, kit, prose + "\n## Taxes\n\nTaxes are coming soon.\n",
			prose + "\nTaxes are shown as disabled Coming soon buttons, or marked TODO.\n",
		},
		"what is put off": {
			"document/placeholder", nil, kit, prose + "\n## Purpose\n\nTBD\n", prose +
				"\n**Note:** Taxes are DEFERRED. Details TBD post-MVP.\n",
		},
		"what is announced": {
			"document/placeholder", nil, kit, prose + "\n## Taxes\n\nComing soon.\n", prose +
				"\nThe page SHALL say that taxes are coming soon.\n",
		},
		"a delta that says why": {
			"document/too-short", nil, delta, "## ADDED Requirements\n\n<!-- None. -->\n",
			"## ADDED Requirements\n\n<!-- " + strings.Repeat("All requirements stay. ", 10) + "-->\n",
		},
		"a delta of code": {
			"document/too-short", nil, delta, "## ADDED Requirements\n\n```\n" + strings.Repeat("run the shop\n", 20) + "```\n",
			"## ADDED Requirements\n\n<!-- " + strings.Repeat("All requirements stay. ", 10) + "-->\n",
		},
		"a delta of one scenario": {
			"document/too-short", nil, delta, "# Sum\n\nA sum.\n",
			requirement + "#### Scenario: One\n- **WHEN** a\n- **THEN** 3\n",
		},
		"a catalogue of its own": {
			"code/unsafe-html", nil, "src/a.ts", "const b = await fetch('/api/shop');\ndocument.body.innerHTML = `<b>${b}</b>`;\n",
			"const b = await fetch('./catalog.json');\ndocument.body.innerHTML = `<b>${b}</b>`;\n",
		},
		"a list of a server": {
			"code/unsafe-html", nil, "src/a.ts", "const b = await fetch('/posts.json');\ndocument.body.innerHTML = `<b>${b}</b>`;\n",
			"const b = await fetch('data/shop.json');\ndocument.body.innerHTML = `<b>${b}</b>`;\n",
		},
		"counts of a run": {
			"code/unsafe-html", nil, "src/a.ts", "export function f(el, completedBy) {\n  el.innerHTML = `<b>${completedBy}</b>`;\n}\n",
			"export function f(el, completedRuns) {\n  el.innerHTML = `<b>${completedRuns}</b>`;\n}\n",
		},
		"an id of Vault": {
			"code/secret", nil, py, "VAULT_SECRET_ID = '84395325-16b4-4b59-8a0c-78c9b9afddc1'\n",
			"UserSecretsId = '84395325-16b4-4b59-8a0c-78c9b9afddc1'\n",
		},
		"what is left open": {
			"document/placeholder", nil, kit, prose + "\n## Limits\n\nThe values to be determined.\n",
			prose + "\n## Limits\n\nA meeting to be confirmed by its host.\n",
		},
		"what a hook depends on": {
			"code/unsafe-html", nil, "src/a.tsx",
			"export function P({ s }) {\n  const h = useMemo(() => s, [s]);\n  return <b dangerouslySetInnerHTML={{ __html: h }} />;\n}\n",
			"export function P({ s }) {\n  const h = useMemo(() => purify(s), [s]);\n" +
				"  return <b dangerouslySetInnerHTML={{ __html: h }} />;\n}\n",
		},
		"icons": {
			"code/unsafe-html", nil, "src/a.ts", "export function f(el, assets) {\n  el.innerHTML = assets.texts.edit;\n}\n",
			"export function f(el, assets) {\n  el.innerHTML = assets.icons.edit;\n}\n",
		},
		"an empty test, laid out anew": {
			"tests/empty", one("a.test.ts", "it('later', () => {\n});\n"), "a.test.ts", "it('latest', () => {});\n",
			"it('later', () => {});\n",
		},
		"a smoke test that can fail": {
			"tests/tautology", nil, "tests/test_a.py", "def test_a():\n    run()\n    assert True\n",
			"def test_a():\n    try:\n        run()\n        assert True\n    except ValueError as e:\n        pytest.fail(e)\n",
		},
		"benchmarks": {
			"tests/no-assertion", nil, "a_test.go", goTests("Test"), goTests("Benchmark"),
		},
		"a handler called test": {
			"tests/none", nil, "src/api/routes-test.ts", "const a = 1;\nfunction f() {\n  return a;\n}\n", "export const get = () => 1;\n",
		},
		"what starts the tests": {
			"tests/none", nil, "main/integration_test.go", "package a\n\nfunc help() {}\n", "package a\n\nfunc TestMain(m *testing.M) {}\n",
		},
		"an effort above": {
			"code/swallowed-error", nil, py, try("self.save(row)"), "# Best-effort: the file may be gone.\n" + try("self.save(row)"),
		},
		"what restores": {
			"code/swallowed-error", nil, py, try("self.save(row)"), strings.Replace(try("self.save(row)"), "f(self)", "_restore(self)", 1),
		},
		"a property called eval": {
			"code/dynamic-code", nil, "src/a.tsx", "export const f = (data) => eval(data);\n",
			"export const F = ({ data }) => <Form eval={data as Kind} />;\n",
		},
		"an effort": {
			"code/swallowed-error", nil, py, try("self.save(row)"),
			"def f(self):\n    \"\"\"Best-effort.\"\"\"" + try("self.save(row)")[12:],
		},
		"a loader of its own": {
			"code/dynamic-code", nil, py, "def f(text):\n    return yaml.load(text)\n",
			"yaml = YAML()\n\n\ndef f(text):\n    return yaml.load(text)\n",
		},
	} {
		for text, want := range map[string]int{c.bad: 1, c.good: 0} {
			head := one(c.file, text)
			for old := range c.before {
				if old != c.file {
					head[old] = ""
				}
			}
			in := input(workflow.Implementation, c.before, head, c.file)
			if strings.HasSuffix(c.file, "spec.md") {
				in.Artifact.Type, in.Artifact.Layout = workflow.Spec, map[bool]string{true: "openspec", false: "spec-kit"}[c.file == delta]
			}
			if strings.HasPrefix(c.rule, "tests/") {
				in.Artifact.Type = workflow.Tests
			}
			got := slices.DeleteFunc(found(t, in, c.rule), func(i workflow.Issue) bool { return i.Severity == "counted" })
			if len(got) != want {
				t.Errorf("%s: %+v, want %d", name, got, want)
			}
		}
	}
}

// TestKeyOfDevelopment: what Phoenix writes for the own machine is no secret.
func TestKeyOfDevelopment(t *testing.T) {
	for file, want := range map[string]int{"config/prod.exs": 1, "config/dev.exs": 0} {
		text := "config :shop, secret_key_base: \"kX9mQ2vLp7wRt5YbN8zC3dF6gH1jK4lM\"\n"
		if got := found(t, input(workflow.Implementation, nil, one(file, text), file), "code/secret"); len(got) != want {
			t.Errorf("%s: %+v, want %d", file, got, want)
		}
	}
}

// TestHouseStyle: what most specs of the base lack blocks no further one, nor what the
// project's own schema asks for.
func TestHouseStyle(t *testing.T) {
	prose := func(what string) string {
		return "# " + what + "\n\nA visitor keeps a basket of goods between visits, sees what they cost together with the taxes " +
			"of the country, and can leave one out again without starting from the very beginning of it all.\n"
	}
	criteria := "\n## Acceptance criteria\n\n- AC-1: the sum of two goods is 3\n"
	for name, c := range map[string]struct {
		specs []string
		want  workflow.Severity
	}{
		"none": {nil, workflow.High}, "one": {[]string{""}, workflow.High}, "two": {[]string{"", ""}, "counted"},
		"few": {[]string{"", "", criteria, criteria, criteria}, workflow.High},
	} {
		base := map[string]string{}
		for i, more := range c.specs {
			base[fmt.Sprintf("specs/00%d-a/spec.md", i)] = prose("A") + more
		}
		head := maps.Clone(base)
		head["specs/009-cart/spec.md"] = prose("Cart")
		in := input(workflow.Spec, base, head, "specs/009-cart/spec.md")
		in.Artifact.Layout = "spec-kit"
		if got := found(t, in, "spec/no-acceptance-criteria"); len(got) != 1 || got[0].Severity != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
	const delta = "openspec/changes/x/specs/cart/spec.md"
	text := "## MODIFIED Requirements\n\n### Requirement: Sum\nThe cart SHALL show its sum.\n"
	for file, want := range map[string]workflow.Severity{"a.md": workflow.High, "openspec/schemas/own/schema.yaml": workflow.Low} {
		in := input(workflow.Spec, one(file, "x"), map[string]string{file: "x", delta: text}, delta)
		in.Artifact.Layout = "openspec"
		if got := found(t, in, "spec/requirement-without-scenario"); len(got) != 1 || got[0].Severity != want {
			t.Errorf("%s: %+v, want %s", file, got, want)
		}
	}
}

// TestCompiled: what the base has TypeScript compiled to is not looked at a second time.
func TestCompiled(t *testing.T) {
	const text = "export function show(comment) {\n  list.innerHTML = `<b>${comment.text}</b>`;\n}\n"
	for folder, want := range map[string]int{"./static": 1, "dist": 2} {
		in := input(workflow.Implementation, one("tsconfig.json", `{"compilerOptions": {"outDir": "`+folder+`"}}`),
			map[string]string{"src/chat.ts": text, "static/chat.js": text}, "src/chat.ts", "static/chat.js")
		alone := input(workflow.Implementation,
			map[string]string{"tsconfig.json": `{"compilerOptions": {"outDir": "static"}}`, "src/chat.ts": "f();\n"},
			map[string]string{"src/chat.ts": "f();\n", "static/chat.js": text}, "static/chat.js")
		if got := found(t, alone, "code/unsafe-html"); len(got) != 1 {
			t.Errorf("without its source: %+v, want 1", got)
		}
		if got := found(t, in, "artifact/unreadable"); len(got) != 2-want {
			t.Errorf("%s: %+v, want it said of %d", folder, got, 2-want)
		}
		if got := found(t, in, "code/unsafe-html"); len(got) != want {
			t.Errorf("%s: %+v, want %d", folder, got, want)
		}
	}
}

// TestOtherLanguages: criteria have their title in the language of the spec, and what is
// not written in English is not judged by English words.
func TestOtherLanguages(t *testing.T) {
	const file = "openspec/changes/x/specs/palette.md"
	text := "# Kleuren\n\nVervang het koude palet door warme tinten van hout, en de fonts van het systeem door een eigen font met " +
		"ronde letters; het is niet de bedoeling dat de rest van het scherm verandert.\n"
	for more, want := range map[string]int{"": 0, "\n## Acceptatiecriteria\n\n- [ ] De body heeft een warm palet\n": 0} {
		in := input(workflow.Spec, nil, one(file, text+more), file)
		in.Artifact.Layout = "openspec"
		if got := found(t, in, "spec/no-acceptance-criteria"); len(got) != want {
			t.Errorf("%q: %+v", more, got)
		}
	}
}

// TestMindedPages: HTML of a function that escapes other values, or gets markup by its name, is
// told and does not block, but where a request brings it.
func TestMindedPages(t *testing.T) {
	const head, row = "export function f(el, item) {\n  el.innerHTML = ", "`<b>${escapeHtml(item.name)}</b><i>${item.kind}</i>`;\n}\n"
	for name, c := range map[string]struct {
		file, text string
		want       workflow.Severity
	}{
		"plain":       {"src/a.ts", head + "`<b>${item.name}</b>`;\n}\n", workflow.High},
		"escaped":     {"src/a.ts", head + row, workflow.Medium},
		"markup":      {"src/a.ts", "export function f(el, nextMarkup) {\n  el.innerHTML = nextMarkup.trim();\n}\n", workflow.Medium},
		"a prototype": {"docs/v1/main.js", head + "`<b>${item.name}</b>`;\n}\n", workflow.Medium},
		"an example":  {"example/client/a.ts", head + "`<b>${item.name}</b>`;\n}\n", workflow.Medium},
		"an id of an address": {
			"src/a.ts", "const id = new URLSearchParams(location.search).get('id');\nel.innerHTML = `<b>${id}</b>`;\n", workflow.High,
		},
		"a request": {"src/a.ts", strings.NewReplacer("item)", "req)", "item.", "req.query.").Replace(head + row), workflow.High},
	} {
		got := found(t, input(workflow.Implementation, nil, one(c.file, c.text), c.file), "code/unsafe-html")
		if len(got) != 1 || got[0].Severity != c.want {
			t.Errorf("%s: %+v, want %s", name, got, c.want)
		}
	}
}

// TestLongestFirst: of several long files the longest is the finding, which names the others.
func TestLongestFirst(t *testing.T) {
	long := func(n int) string { return strings.Repeat("def shop():\n    return compute(1, 2)\n\n\n", n) }
	head := map[string]string{"src/a.py": long(520), "src/b.py": long(900)}
	got := found(t, input(workflow.Implementation, nil, head, "src/a.py", "src/b.py"), "code/oversized-file")
	if len(got) != 1 || got[0].File != "src/b.py" || !strings.Contains(got[0].Description, "Also src/a.py (src/a.py has 1040 lines") {
		t.Errorf("%+v", got)
	}
}
