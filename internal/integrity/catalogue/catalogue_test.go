package catalogue

import (
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/syntax"
)

// TestEveryPairIsDeclared: of every two names of one relation the data says
// which demands more, that both demand the same, or that neither does.
func TestEveryPairIsDeclared(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	pairs := 0
	for _, fw := range all {
		for i, a := range fw.Entries {
			for _, b := range fw.Entries[i+1:] {
				if a.Relation != b.Relation || a.Name == b.Name {
					continue
				}
				pairs++
				up, down := fw.atLeast(a.Relation, a.Name, b.Name), fw.atLeast(a.Relation, b.Name, a.Name)
				unrelated := fw.unrelated[[3]string{a.Relation, a.Name, b.Name}]
				if unrelated == (up || down) {
					t.Errorf("%s, relation %s: %s and %s: related %v, declared incomparable %v", fw.Name, a.Relation, a.Name, b.Name, up ||
						down, unrelated)
				}
				if up && down && !fw.sameByEquals(a.Relation, a.Name, b.Name) {
					t.Errorf("%s, relation %s: %s and %s are each stronger than the other", fw.Name, a.Relation, a.Name, b.Name)
				}
			}
		}
	}
	if pairs < 300 {
		t.Errorf("only %d pairs", pairs)
	}
}

// sameByEquals follows declared equalities alone.
func (fw *Framework) sameByEquals(relation, a, b string) bool {
	only := &Framework{Entries: fw.Entries, equal: fw.equal}
	return only.atLeast(relation, a, b)
}

func TestDataErrors(t *testing.T) {
	for _, text := range []string{
		"", "language Go\nEqual a b", "language Go\non t\nrelation x y", "language Go\non t\nrelation x\nA\norder A > B",
		"language Go\non t\nrelation x\nA\nB\norder A < B",
	} {
		if _, err := parse("x", text); err == nil {
			t.Errorf("parse(%q) gives no error", text)
		}
	}
}

// TestFrameworksAgree: of a call that two frameworks of one language have, nothing
// is taken for proved that one of them denies, unless an import says which is meant.
func TestFrameworksAgree(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	conflicts := 0
	for i, a := range all {
		for _, b := range all[i+1:] {
			if !slices.ContainsFunc(a.Languages, func(l syntax.Language) bool { return slices.Contains(b.Languages, l) }) {
				continue
			}
			conflicts += compareFrameworks(t, a, b)
		}
	}
	if conflicts == 0 {
		t.Error("no two frameworks differ in anything: nothing was compared")
	}
}

// compareFrameworks counts what two frameworks say differently of calls that both have.
func compareFrameworks(t *testing.T, a, b *Framework) int {
	t.Helper()
	conflicts := 0
	both := File{frameworks: []*Framework{a, b}}
	for _, receiver := range sharedReceivers(a, b) {
		for _, old := range a.Entries {
			was := both.Call(receiver, old.Name)
			if was == nil || len(was.others) == 0 {
				continue
			}
			if alone := (File{frameworks: []*Framework{a}}).Call(receiver, old.Name); !sameRoles(was.others[0].Roles, alone.Roles) {
				conflicts++
				if len(was.Roles) > 0 {
					t.Errorf("%s and %s differ in the arguments of %s, but it has %v", a.Name, b.Name, old.Name, was.Roles)
				}
			}
			if (was.Relation == "failure") != (was.others[0].Relation == "failure") {
				t.Errorf("%s and %s: %s fails a test in one alone", a.Name, b.Name, old.Name)
			}
			for _, now := range a.Entries {
				is := both.Call(receiver, now.Name)
				if is == nil || len(is.others) == 0 || now.Name == old.Name {
					continue
				}
				conflicts += compareStrength(t, both, receiver, is, was)
			}
		}
	}
	return conflicts
}

func compareStrength(t *testing.T, both File, receiver string, now, old *Entry) int {
	t.Helper()
	conflicts := 0
	in := func(fw *Framework) (bool, []string) {
		alone := File{frameworks: []*Framework{fw}}
		n, o := alone.Call(receiver, now.Name), alone.Call(receiver, old.Name)
		return alone.AtLeast(n, o), alone.Implied(n, o)
	}
	up, implied := in(both.frameworks[0])
	up2, implied2 := in(both.frameworks[1])
	if up != up2 {
		conflicts++
		if both.AtLeast(now, old) {
			t.Errorf("%s for %s on %q passes although frameworks differ", now.Name, old.Name, receiver)
		}
	}
	for _, class := range both.Implied(now, old) {
		if !slices.Contains(implied, class) || !slices.Contains(implied2, class) {
			t.Errorf("%s follows from %s (%s) on %q although frameworks differ", old.Name, now.Name, class, receiver)
		}
	}
	if !slices.Equal(implied, implied2) {
		conflicts++
	}
	return conflicts
}

// sharedReceivers are receivers that entries of both frameworks may be called on.
func sharedReceivers(a, b *Framework) []string {
	var out []string
	for _, e := range slices.Concat(a.Entries, b.Entries) {
		for _, p := range e.Receivers {
			receiver := strings.TrimSuffix(strings.TrimPrefix(p, "-"), "*")
			if !slices.Contains(out, receiver) {
				out = append(out, receiver)
			}
		}
	}
	return out
}

// TestImportDecides: deepEqual demands as much as deepStrictEqual in Chai and less in Node.
func TestImportDecides(t *testing.T) {
	for _, tt := range []struct {
		source string
		want   bool
	}{
		{`import { assert } from "chai";`, true},
		{`import chai, { expect, assert } from 'chai'`, true},
		{`const { expect, assert } = require("chai");`, true},
		{`const assert = require('chai').assert`, true},
		{`import assert from "node:assert";`, false},
		{`import { strict as assert } from 'assert'`, false},
		{`import assert = require("assert");`, false},
		{`const assert = require("node:assert/strict");`, false},
		{"import { expect } from 'chai';\nimport assert from 'node:assert';", false},
		{"const { expect } = require('chai')\nconst assert = require('assert')", false},
		{"// import { assert } from 'chai'\nimport assert from 'node:assert'", false},
		{"import { expect } from 'chai';\nimport { assert } from './helpers';", false},
		{"// import { assert } from 'chai'\nimport { assert } from './helpers';", false},
		{"import { expect } from 'chai';\nQUnit.test('a', (assert) => {})", false},
		{"// chai\nassert.deepEqual(a, b)", false},
	} {
		f := For(syntax.JavaScript, []byte(tt.source))
		deep, strict := f.Call("assert", "deepEqual"), f.Call("assert", "deepStrictEqual")
		if got := f.AtLeast(deep, strict); got != tt.want {
			t.Errorf("%q: deepEqual for deepStrictEqual passes: %v, want %v", tt.source, got, tt.want)
		}
		if !f.AtLeast(strict, deep) {
			t.Errorf("%q: deepStrictEqual for deepEqual does not pass", tt.source)
		}
	}
}
