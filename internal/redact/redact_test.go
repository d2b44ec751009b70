package redact

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/workflow"
)

const canary = "canary/key+with=odd&chars-0123456789"

func TestKnownSecretsInEveryForm(t *testing.T) {
	r := New(canary, "first-line-of-key\nsecond-line-of-key\n")
	b64 := base64.StdEncoding.EncodeToString
	texts := map[string]string{
		"plain":            "key is " + canary + ".",
		"query":            "https://x/?k=" + url.QueryEscape(canary),
		"path":             "https://x/" + url.PathEscape(canary),
		"hex":              hex.EncodeToString([]byte(canary)),
		"hex in capitals":  strings.ToUpper(hex.EncodeToString([]byte(canary))),
		"beside bad bytes": "\xff" + canary[:15] + "\n" + canary[15:] + "\xff",
		"two lines":        canary[:20] + "\n" + canary[20:],
		"short lines":      canary[:9] + "\r\n  " + canary[9:18] + "\n\t" + canary[18:27] + "\n" + canary[27:],
		"letter by letter": strings.Join(strings.Split(canary, ""), " "),
		"invisible":        strings.Join(strings.Split(canary, ""), "\u200b"),
		"broken base64":    b64([]byte(canary))[:8] + "\n" + b64([]byte(canary))[8:16] + "\n" + b64([]byte(canary))[16:],
		"base64":           b64([]byte(canary)),
		"base64 offset 1":  b64([]byte("x" + canary + "tail")),
		"base64 offset 2":  b64([]byte("xy" + canary)),
		"basic auth":       b64([]byte("x-access-token:" + canary)),
		"base64url":        base64.URLEncoding.EncodeToString([]byte(canary)),
		"one line":         "it says second-line-of-key here",
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			got := r.Text(text)
			if !strings.Contains(got, "[redacted: known-secret]") {
				t.Errorf("Text(%q) = %q, nothing redacted", text, got)
			}
			for _, part := range []string{canary, "second-line", canary[8:20], hex.EncodeToString([]byte(canary[8:20]))} {
				if strings.Contains(joined(got), part) {
					t.Errorf("Text(%q) = %q still holds %q", text, got, part)
				}
			}
		})
	}
}

// TestCutSecrets: what a cut leaves of a known secret is replaced too, from its
// start, middle or end; the prefix that all keys of a kind share is not.
func TestCutSecrets(t *testing.T) {
	key := "sk-proj-q7w8e9r0t1y2u3i4o5p6"
	r := New(key, canary)
	for text, want := range map[string]string{
		"the key " + key[:len(key)-1] + "…":       "the key [redacted: known-secret]…",
		key[:12]:                                  "[redacted: known-secret]",
		"…" + key[9:] + " and " + key[3:20] + ".": "…[redacted: known-secret] and [redacted: known-secret].",
		key[:11] + "…":                            key[:11] + "…",
		"sk-proj- keys":                           "sk-proj- keys",
		hex.EncodeToString([]byte(canary))[:40]:   "[redacted: known-secret]",
	} {
		if got := r.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestScannerFindsForeignSecrets(t *testing.T) {
	token := "ghp_" + "x7Kd92LmQp4RtVw8Yz1Bn5Gh3Jk6Sc0aEfUi"
	key := "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEowIBAAKCAQEAr3q9\n", 8) + "-----END RSA PRIVATE KEY-----"
	tests := []struct{ name, text, gone, rule string }{
		{"token", "The code holds " + token + " in line 3.", token, "github-pat"},
		{"token twice", token + " and again " + token, token, "github-pat"},
		{"excused by its own line", "token " + token + " // gitleaks:allow", token, "github-pat"},
		{"excused by other words on its line", "import { x } from 'y'; key = " + token, token, "github-pat"},
		{"private key", "look:\n" + key + "\nthere", "MIIEowIBAAKCAQEAr3q9", "private-key"},
	}
	r := New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := r.Text(tt.text)
			if strings.Contains(got, tt.gone) || !strings.Contains(got, "[redacted: "+tt.rule+"]") {
				t.Errorf("Text = %q", got)
			}
			if again := r.Text(got); again != got {
				t.Errorf("not idempotent: %q then %q", got, again)
			}
		})
	}
}

func TestOrdinaryTextStays(t *testing.T) {
	for _, s := range []string{
		"", "ok", "The password rule in `login()` is missing.\n\n- one\n- two",
		"commit 7bb42e8f00baa1234567890abcdef1234567890a, sha256:e3b0c44298fc1c149afbf4c8996fb924",
	} {
		if got := New("", "a", "the").Text(s); got != s {
			t.Errorf("Text(%q) = %q", s, got)
		}
	}
}

func TestWhatCannotBeScannedIsWithheld(t *testing.T) {
	r := New()
	r.rules = func() (*ruleset, error) { return parseRules([]byte("{")) }
	if got := r.Text("anything"); strings.Contains(got, "anything") || !strings.Contains(got, "withheld") {
		t.Errorf("Text = %q", got)
	}
	long := strings.Repeat("é\n", maxText/2)
	got := New().Text(long)
	if len(got) > maxText+100 || !strings.HasSuffix(got, "were not scanned for secrets]") {
		t.Errorf("len = %d, end = %q", len(got), got[len(got)-80:])
	}
}

func TestConcurrentUse(t *testing.T) {
	r := New(canary)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got := r.Text("k " + canary); got != "k [redacted: known-secret]" {
				t.Errorf("Text = %q", got)
			}
		})
	}
	wg.Wait()
}

// TestResultReachesEveryText fills every string of a Result with the canary by
// reflection, so that a field added later cannot be forgotten.
func TestResultReachesEveryText(t *testing.T) {
	var res workflow.Result
	fill(reflect.ValueOf(&res).Elem())
	got := New(canary).Result(res)

	kept := map[string]bool{}
	strs(reflect.ValueOf(got), "", func(path, s string) {
		if strings.Contains(s, canary) {
			kept[path] = true
		}
	})
	want := map[string]bool{ // names that files and commits are found by
		".Artifact.Type": true, ".Artifact.Feature": true, ".Artifact.Files.Path": true, ".Artifact.Files.Blob": true,
		".Artifact.Advice": true, ".Artifact.Companions": true, ".Artifact.Files.Content": true, ".Artifact.Layout": true,
		".Artifact.Mark.Line": true, ".Artifact.Mark.Path": true,
		".Artifact.Mark.Word": true, ".Artifact.Root": true, ".Artifact.StateLine": true, ".Integrity.Approves": true,
		".Integrity.Proof.Outcome": true,
		".Integrity.NotRecorded":   true, ".Integrity.TakenOver": true,
		".Artifact.SpecPath": true, ".Artifact.Tests": true, ".Artifact.Move.From": true, ".Artifact.Move.To": true,
		".Criteria.Grade": true,
		".Checks.ID":      true, ".Checks.Outcome": true, ".Integrity.Verdict": true, ".Integrity.Approval": true,
		".Requirements.ID": true, ".Requirements.Spec": true, ".Requirements.Status": true, ".Requirements.File": true,
		".Requirements.Tests": true, ".Requirements.Code": true,
		".Bundle.Folder": true, ".Bundle.Chain.Gaps.File": true,
		".Amends": true, ".Unasked": true, ".Previous.ID": true,
		".Override.By": true, ".Override.Link": true, ".Override.Findings": true, ".Dismissed.By": true, ".Dismissed.Link": true,
		".Dismissed.Text": true,
		".Failure.Class":  true, ".Head": true, ".Base": true, ".Effort": true, ".ContextDigest": true,
		".ReviewPath": true, ".MovedTo": true, ".MustBeReadBy": true,
	}
	for _, list := range []string{
		"Issues", "Checks.Issues", "Dismissed.Issue", "Violations", "Questions", "Integrity.Excused", "Integrity.Findings",
		"Integrity.Questions",
	} {
		for _, field := range []string{"Key", "Kind", "Level", "Category", "State", "Side", "Feature", "Answer"} {
			want["."+list+"."+field] = true
		}
	}
	if diff := cmp.Diff(want, kept); diff != "" {
		t.Errorf("fields left as they are (-want +got):\n%s", diff)
	}
}

func TestResultCopiesDeeply(t *testing.T) {
	var res, same workflow.Result
	fill(reflect.ValueOf(&res).Elem())
	fill(reflect.ValueOf(&same).Elem())
	New(canary).Result(res)
	if diff := cmp.Diff(same, res); diff != "" {
		t.Errorf("the argument was changed:\n%s", diff)
	}
}

func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x " + canary)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Struct:
		if v.Type().PkgPath() == "time" {
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func strs(v reflect.Value, path string, f func(path, s string)) {
	switch v.Kind() {
	case reflect.String:
		f(path, v.String())
	case reflect.Pointer:
		if !v.IsNil() {
			strs(v.Elem(), path, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			strs(v.Index(i), path, f)
		}
	case reflect.Struct:
		if v.Type().PkgPath() == "time" {
			return
		}
		for i := range v.NumField() {
			strs(v.Field(i), path+"."+v.Type().Field(i).Name, f)
		}
	}
}

func BenchmarkPrepare(b *testing.B) {
	for b.Loop() {
		if _, err := parseRules(ruleText); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	text := strings.Repeat("The function login has a token parameter, and no test for an empty password.\n", 50)
	r := New(canary)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.Text(text)
	}
}

// TestSecretsInLongTexts: a secret behind more text than is scanned at once is found, in its line.
func TestSecretsInLongTexts(t *testing.T) {
	t.Parallel()
	const key = "AKIAQ3EGRZ7T6N4XWLUP"
	before := strings.Repeat("a line of a long file\n", maxText/20)
	got := Secrets(t.Context(), before+"KEY = \""+key+"\"\n")
	if len(got) != 1 || got[0].Text != key || got[0].Line != strings.Count(before, "\n")+1 {
		t.Errorf("found %+v", got)
	}
}

// FuzzKnownSecrets: whatever surrounds a known secret or is put between its bytes, no part of it stays.
func FuzzKnownSecrets(f *testing.F) {
	f.Add("a", "\n", "b")
	f.Add("\xff\xc3", "\u200b ", "é")
	f.Add(canary[:5], "\t\xe2\x80", canary[20:])
	known := newKnown([]string{canary})
	f.Fuzz(func(t *testing.T, before, between, after string) {
		text := before + strings.Join(strings.Split(canary, ""), between) + after
		got := known.Replace(text)
		if found := known.find(joined(got)); found != nil {
			t.Errorf("Replace(%q) = %q still holds %v", text, got, found)
		}
	})
}
