package imagetest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type workflow struct {
	Permissions *map[string]string
	Jobs        map[string]job
}

type job struct {
	Permissions *map[string]string
	Timeout     int `yaml:"timeout-minutes"`
	Env         map[string]string
	Outputs     map[string]string
	Strategy    struct {
		Matrix struct{ Include []map[string]string }
	}
	Steps []step
}

type step struct {
	ID, Uses, Run string
	With          map[string]any
	Env           map[string]string
}

// workflows are our own, by file name.
func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) < 2 {
		t.Fatalf("workflows %v, %v", files, err)
	}
	out := map[string]workflow{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var w workflow
		if err := yaml.Unmarshal(data, &w); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[filepath.Base(name)] = w
	}
	return out
}

var uses = regexp.MustCompile(`(?m)^ *(?:- )?uses: *(.*)$`)

// TestActionsArePinned: by commit, with the version beside it for people.
func TestActionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w.-]+/[\w.-]+(?:/[\w./-]+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	shas := map[string]string{}
	for name := range workflows(t) {
		for _, m := range uses.FindAllStringSubmatch(read(t, ".github/workflows/"+name), -1) {
			if m[1] == "./" { // the action of the same commit
				continue
			}
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s: %q is not pinned by commit with a version", name, m[1])
				continue
			}
			action, rest, _ := strings.Cut(m[1], "@")
			if other, ok := shas[action]; ok && other != rest {
				t.Errorf("%s: %s is used in two versions, %s and %s", name, action, other, rest)
			}
			shas[action] = rest
		}
	}
}

// TestLeastPermissions: no workflow gives its jobs more than reading; each job
// says what else it needs; each has an end.
func TestLeastPermissions(t *testing.T) {
	allowed := map[string]map[string]string{
		"release.yml/archives": {"contents": "read"},
		"release.yml/build":    {"contents": "read", "packages": "write"},
		"release.yml/publish":  {"contents": "read", "packages": "write", "id-token": "write", "attestations": "write"},
		"release.yml/tag":      {"contents": "write"},
		"review.yml/review":    {"contents": "write", "checks": "write", "pull-requests": "write"},
	}
	for name, w := range workflows(t) {
		if w.Permissions == nil {
			t.Errorf("%s: no permissions at the top", name)
			continue
		}
		for id, job := range w.Jobs {
			granted := w.Permissions
			if job.Permissions != nil {
				granted = job.Permissions
			}
			most, ok := allowed[name+"/"+id]
			if !ok {
				most = map[string]string{"contents": "read"}
			}
			for scope, level := range *granted {
				if level == "write" && most[scope] != "write" || most[scope] == "" {
					t.Errorf("%s, job %s: permission %s: %s", name, id, scope, level)
				}
			}
			if job.Timeout == 0 {
				t.Errorf("%s, job %s: no timeout-minutes", name, id)
			}
		}
	}
}

// TestScriptsGetValuesByVariable: what comes from outside must not become a part
// of a script.
func TestScriptsGetValuesByVariable(t *testing.T) {
	for _, step := range parseComposite(t, read(t, "setup/action.yml")).Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("setup/action.yml: an expression inside a script: %s", step.Run)
		}
	}
	for name, w := range workflows(t) {
		for id, job := range w.Jobs {
			for _, step := range job.Steps {
				if strings.Contains(step.Run, "${{") {
					t.Errorf("%s, job %s: an expression inside a script: %s", name, id, step.Run)
				}
				if strings.HasPrefix(step.Uses, "actions/checkout@") && step.With["persist-credentials"] == nil {
					t.Errorf("%s, job %s: checkout does not say whether it keeps the token", name, id)
				}
			}
		}
	}
}
