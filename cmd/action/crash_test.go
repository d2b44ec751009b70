package main_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestParserCrashCostsOneFile: sources that abort a parser's process end neither
// the program nor the check of the other files.
func TestParserCrashCostsOneFile(t *testing.T) {
	t.Parallel()
	const spec = "describe 'add' do\n  it 'adds' do\n    expect(add(1, 2)).to eq(3)\n  end\nend\n"
	bomb := spec + "x = <<" + strings.Repeat("A", 300) + "\n"
	other := strings.Replace(spec, "eq(3)", "be > 0", 1)
	dir := adderClone(t, map[string]string{"spec/bomb_spec.rb": spec, "spec/other_spec.rb": spec},
		map[string]string{"spec/bomb_spec.rb": bomb, "spec/other_spec.rb": other})
	code, stdout, stderr := program(t, "integrity", "--repo", dir, "--approved", "origin/main", "--head", "origin/work", "--json")
	var got struct {
		Verdict    string
		Violations []struct{ File string }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}
	paths := map[string]bool{}
	for _, v := range got.Violations {
		paths[v.File] = true
	}
	if code != 1 || got.Verdict != "breach" || !paths["spec/bomb_spec.rb"] || !paths["spec/other_spec.rb"] {
		t.Errorf("exit status %d, %s%s", code, stdout, stderr)
	}
	if !strings.Contains(stdout, "the parser crashed on the source") {
		t.Errorf("the crash is not named: %s", stdout)
	}
}

// TestParseCommand: the command that serves the parent process ends with its
// input, and with a status of its own where that is none of its language.
func TestParseCommand(t *testing.T) {
	t.Parallel()
	if code, stdout, stderr := program(t, "parse"); code != 0 || stdout+stderr != "" {
		t.Errorf("exit status %d, %q %q", code, stdout, stderr)
	}
}
