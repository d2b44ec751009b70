package main_test

import (
	"strings"
	"testing"
)

// TestFixtureAlone: what tests load that a person's review approved is held to it, also
// where the change names no feature: from before there were records.
func TestFixtureAlone(t *testing.T) {
	t.Parallel()
	const fixture = "tests/fixtures/cases.json"
	dir := worktreeClone(t, map[string]string{
		"specs/done/chat.md": strings.ReplaceAll(goodSpec, "Login", "Chat"),
		"src/chat.py":        "def total(xs):\n    return sum(xs)\n",
		"tests/test_chat.py": "import json\n\nfrom src.chat import total\n\n\ndef test_total():\n" +
			"    for c in json.load(open(\"" + fixture + "\")):\n        assert total(c[\"in\"]) == c[\"out\"]\n",
		fixture:            "[{\"in\": [1, 2], \"out\": 3}]\n",
		"tests/other.json": "[1]\n",
		"reviews/tests/2025-11-02T09-32-00-chat-APPROVED.md": "# Test Review: chat\n\n**Status:** APPROVED\n\nAll criteria.\n",
	}, map[string]string{"tests/other.json": "[2]\n"})
	gitIn(t, dir, "commit", "-qam", "Change data that no test loads")
	if code, stdout, stderr := local(t, dir); code != 0 {
		t.Errorf("data of no test: status %d\n%s\n%s", code, stdout, stderr)
	}
	put(t, dir, map[string]string{fixture: "[{\"in\": [1, 2], \"out\": 4}]\n"})
	gitIn(t, dir, "commit", "-qam", "Change the fixture")
	if code, stdout, stderr := local(t, dir); code != 1 || !strings.Contains(stdout, "Test fixture data changed") {
		t.Errorf("the fixture: status %d\n%s\n%s", code, stdout, stderr)
	}
}
