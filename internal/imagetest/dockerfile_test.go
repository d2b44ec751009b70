// Package imagetest holds the tests of what is around the program: the
// Dockerfile, the scripts that it runs, action.yml and the workflows that
// release them.
package imagetest

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// instruction is one step of a Dockerfile.
type instruction struct {
	line  int
	name  string
	args  string // continued lines joined
	words []string
}

// stage is what follows a FROM.
type stage struct {
	name  string
	base  string
	steps []instruction
}

// parse reads a Dockerfile: what stands before the first FROM, and the stages.
func parse(t *testing.T, text string) (global []instruction, stages []stage) {
	t.Helper()
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		at, line := i+1, strings.TrimSpace(lines[i])
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		for strings.HasSuffix(line, "\\") {
			i++
			line = strings.TrimSuffix(line, "\\") + " " + strings.TrimSpace(lines[i])
		}
		name, args, _ := strings.Cut(line, " ")
		in := instruction{at, name, strings.TrimSpace(args), strings.Fields(args)}
		switch {
		case name == "FROM" && len(in.words) == 3 && in.words[1] == "AS":
			stages = append(stages, stage{name: in.words[2], base: in.words[0]})
		case name == "FROM" && len(in.words) == 1:
			stages = append(stages, stage{base: in.words[0]})
		case name == "FROM":
			t.Fatalf("line %d: %s", at, line)
		case len(stages) == 0:
			global = append(global, in)
		default:
			s := &stages[len(stages)-1]
			s.steps = append(s.steps, in)
		}
	}
	return global, stages
}

func (s stage) only(name string) []instruction {
	return slices.DeleteFunc(slices.Clone(s.steps), func(in instruction) bool { return in.name != name })
}

var pinned = regexp.MustCompile(`^[a-z]+:[0-9][0-9a-z.-]+@sha256:[0-9a-f]{64}$`)

// TestBasesArePinned: each base is an argument that names a tag and a digest,
// and stages are known by name.
func TestBasesArePinned(t *testing.T) {
	global, stages := parse(t, read(t, "Dockerfile"))
	known := map[string]bool{"scratch": true}
	for _, in := range global {
		name, value, _ := strings.Cut(in.args, "=")
		if in.name != "ARG" || !pinned.MatchString(value) {
			t.Errorf("line %d: %s %s is no base pinned by digest", in.line, in.name, in.args)
		}
		known["${"+name+"}"] = true
	}
	for _, s := range stages {
		if !known[s.base] {
			t.Errorf("stage %q starts from %s, which is no pinned argument", s.name, s.base)
		}
		known[s.name] = true
	}
}

// TestFinalStages: nothing but files is in the images, and one program starts.
func TestFinalStages(t *testing.T) {
	_, stages := parse(t, read(t, "Dockerfile"))
	last, whole := stages[len(stages)-2], stages[len(stages)-1]
	if last.base != "scratch" || last.name != "slim" || whole.base != "slim" {
		t.Fatalf("the last stages are %q from %s and %q from %s", last.name, last.base, whole.name, whole.base)
	}
	for _, in := range slices.Concat(last.steps, whole.steps) {
		switch in.name {
		case "ARG", "COPY", "ENTRYPOINT", "ENV", "LABEL":
		default:
			t.Errorf("line %d: %s in the final stage", in.line, in.name)
		}
	}
	entry := last.only("ENTRYPOINT")
	var program []string
	if len(entry) != 1 || json.Unmarshal([]byte(entry[0].args), &program) != nil || len(program) != 1 || !path.IsAbs(program[0]) {
		t.Errorf("ENTRYPOINT %v is not one program in JSON form", entry)
	}
	labels := ""
	for _, in := range last.only("LABEL") {
		labels += " " + in.args
	}
	for _, name := range []string{"title", "description", "licenses", "source", "version", "revision"} {
		if !strings.Contains(labels, " org.opencontainers.image."+name+"=") {
			t.Errorf("no label org.opencontainers.image.%s", name)
		}
	}
}

// TestDockerfileStyle holds the Dockerfile to what hadolint asks and can be seen
// without it; the comments name its rules.
func TestDockerfileStyle(t *testing.T) {
	text := read(t, "Dockerfile")
	if strings.Contains(text, "# syntax=") || strings.Contains(text, "<<") {
		t.Error("a syntax line or a heredoc asks for a builder that act is not")
	}
	_, stages := parse(t, text)
	names := map[string]bool{}
	for _, s := range stages {
		if names[s.name] {
			t.Errorf("DL3024: two stages %q", s.name)
		}
		names[s.name] = true
		for _, in := range s.steps {
			checkStep(t, in, names)
		}
		if len(s.only("ENTRYPOINT")) > 1 || len(s.only("CMD")) > 1 {
			t.Errorf("DL4003, DL4004: stage %q has two programs", s.name)
		}
	}
}

func checkStep(t *testing.T, in instruction, stages map[string]bool) {
	t.Helper()
	bad := func(rule string) { t.Errorf("line %d: %s: %s %s", in.line, rule, in.name, in.args) }
	switch in.name {
	case "WORKDIR":
		if !path.IsAbs(in.args) {
			bad("DL3000: not absolute")
		}
	case "ADD":
		bad("DL3020: COPY instead")
	case "MAINTAINER":
		bad("DL4000: deprecated")
	case "COPY":
		if from, ok := strings.CutPrefix(in.words[0], "--from="); ok && !stages[from] {
			bad("DL3022: not a stage before")
		}
		if len(in.words) > 2 && !strings.HasPrefix(in.words[0], "--") && !strings.HasSuffix(in.words[len(in.words)-1], "/") {
			bad("DL3021: several files need a folder")
		}
	case "RUN":
		if slices.Contains(in.words, "sudo") {
			bad("DL3004")
		}
		if slices.Contains(in.words, "cd") {
			bad("DL3003: WORKDIR instead")
		}
		if strings.Contains(in.args, "|") && !strings.Contains(in.args, "||") {
			bad("DL4006: a pipe hides failures")
		}
		if strings.Contains(in.args, "--mount") {
			bad("asks for a builder that act is not")
		}
	}
}

// TestNoSecretsInTheImage: nothing that a build gets could be one, so that none
// is in a layer or in the history.
func TestNoSecretsInTheImage(t *testing.T) {
	global, stages := parse(t, read(t, "Dockerfile"))
	allowed := []string{"GO_IMAGE", "NODE_IMAGE", "VERSION", "COMMIT", "SOURCE", "GOTOOLCHAIN", "PATH"}
	steps := global
	for _, s := range stages {
		steps = append(steps, s.steps...)
	}
	for _, in := range steps {
		if in.name != "ARG" && in.name != "ENV" {
			continue
		}
		if name, _, _ := strings.Cut(in.args, "="); !slices.Contains(allowed, name) {
			t.Errorf("line %d: %s %s is not expected here", in.line, in.name, name)
		}
	}
}

// TestContextHoldsWhatIsCopied: the builder gets a list of files and no more,
// and everything that the Dockerfile takes from there is on it.
func TestContextHoldsWhatIsCopied(t *testing.T) {
	sent := map[string]bool{}
	lines := strings.Fields(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(read(t, ".dockerignore"), ""))
	if lines[0] != "*" {
		t.Errorf("the list begins with %q, not with everything left out", lines[0])
	}
	for _, l := range lines[1:] {
		if name, ok := strings.CutPrefix(l, "!"); ok {
			sent[name] = true
		}
	}
	_, stages := parse(t, read(t, "Dockerfile"))
	for _, s := range stages {
		for _, in := range s.only("COPY") {
			if strings.HasPrefix(in.words[0], "--from=") {
				continue
			}
			for _, name := range in.words[:len(in.words)-1] {
				if name != "." && !sent[name] {
					t.Errorf("line %d: %s is not sent to the builder", in.line, name)
				}
			}
		}
	}
}
