package conventions_test

import (
	"testing"

	"workflow-reviewer/internal/conventions"
)

func TestTests(t *testing.T) {
	for path, want := range map[string]struct{ name, any, all bool }{
		"tests/test_a.py":             {true, true, false},
		"src/pkg/testing.py":          {false, false, false},
		"src/pkg/contest.py":          {false, false, false},
		"docs/conf.py":                {false, false, false},
		"bench/run.py":                {false, false, false},
		"tests/conftest.py":           {false, true, false},
		"a_test.go":                   {true, true, false},
		"contest.go":                  {false, false, false},
		"test/spec_request.rb":        {true, true, false},
		"test/spec_helper.rb":         {false, true, false},
		"lib/spec_request.rb":         {false, false, false},
		"spec/a_spec.rb":              {true, true, false},
		"contracts/Vault.t.sol":       {true, true, false},
		"contracts/Vault.sol":         {false, false, false},
		"tests/rle.rs":                {false, true, true},
		"tests/codec/rle.rs":          {false, true, true},
		"tests/common/mod.rs":         {false, true, false},
		"src/lib.rs":                  {false, false, false},
		"src/a.test.ts":               {true, true, false},
		"src/addDays/test.ts":         {true, true, false},
		"test.js":                     {true, true, false},
		"src/commands/test.ts":        {false, false, false},
		"src/__tests__/a.ts":          {false, true, true},
		"test/helpers/a.js":           {false, true, false},
		"src/main/java/test/A.java":   {false, false, false},
		"src/test/java/ATest.java":    {true, true, false},
		"src/main/java/a/Latest.java": {false, false, false},
		"Shop.Tests/RangeTests.cs":    {true, true, false},
		"features/a.feature":          {true, true, false},
		"test/a.bats":                 {true, true, false},
		"src/Get-Total.Tests.ps1":     {true, true, false},
		"src/Get-Total.ps1":           {false, false, false},
		"t/cart.t":                    {true, true, false},
		"robot/login.robot":           {true, true, false},
		"features/steps/cart.py":      {false, true, false},
		"src/steps/cart.py":           {false, false, false},
		"step_definitions/cart.js":    {false, true, false},
		"spec/notes.md":               {false, false, false},
		"spec/fixtures/a.json":        {false, true, false},
		"spec/support/login.js":       {false, true, false},
		"src/features/spec/a.ts":      {false, false, false},
		"src/features/spec/a.spec.ts": {true, true, false},
		"internal/spec/common/a.go":   {false, false, false},
		"internal/spec/a_test.go":     {true, true, false},
		"app/spec/models.py":          {false, false, false},
		"app/spec/cart_spec.py":       {true, true, false},
		"spec/models.py":              {false, true, false},
		"src/spec/cartSpec.js":        {true, true, false},
		"internal/spec/api_spec.go":   {false, false, false},

		"app/api/agents/[id]/webhooks/test/route.ts": {false, false, false},
		"src/app/(shop)/test/page.tsx":               {false, false, false},
		"src/routes/test/+server.ts":                 {false, false, false},
		"pages/api/test.ts":                          {false, false, false},
		"server/api/test.get.ts":                     {false, false, false},
		"app/tests/route.js":                         {false, true, true},
		"app/test/server.js":                         {false, true, true},
		"server/api/test/cart.js":                    {false, true, true},
		"pages/api/__tests__/a.ts":                   {false, true, true},
		"app/api/test/route.test.ts":                 {true, true, true},
		"tests/app/page.ts":                          {false, true, true},
		"lib/test-utils/index.ts":                    {false, true, false},
		"internal/testutil/clock.go":                 {false, true, false},
		"quantum/device_under_test/element.py":       {false, false, false},
		"quantum/device_under_test.py":               {true, true, false},
		"packages/test-utils/src/index.ts":           {false, false, false},
	} {
		if got := conventions.IsTestName(path); got != want.name {
			t.Errorf("IsTestName(%q) = %v", path, got)
		}
		if got := conventions.IsTest(path); got != want.any {
			t.Errorf("IsTest(%q) = %v", path, got)
		}
		if got := conventions.CollectsAll(path); got != want.all {
			t.Errorf("CollectsAll(%q) = %v", path, got)
		}
	}
}

func TestLanguages(t *testing.T) {
	for path, want := range map[string]string{
		"a.py": "Python", "A.TSX": "TypeScript", "a.vue": "JavaScript component", "a.rake": "Ruby", "a.sol": "Solidity", "a.md": "",
		"Makefile": "", "a": "", ".go": "Go",
	} {
		if got := conventions.Language(path); got != want {
			t.Errorf("Language(%q) = %q, want %q", path, got, want)
		}
	}
	if conventions.Family("a.svelte") != "script" || conventions.Family("a.py") == "script" || !conventions.IsJVM("A.kt") ||
		conventions.Family("A.fs") != ".NET" {
		t.Error("a family is wrong")
	}
}
