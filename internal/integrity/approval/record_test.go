package approval_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/integrity/approval"
)

const (
	id1  = "0835ad5c5aa0e7613ad8e531b342674708d88c2b"
	sum1 = "5003f83ce41b4837d89a4aebd0f80e449324f8c1ddee03c491723af25c7dc83f"
)

func record() approval.Record {
	return approval.Record{
		Version: 1, Feature: "add", Type: "tests", Revision: 2, Review: "reviews/tests/20260101T000001-add-APPROVED.md", Head: id1,
		Tests: &approval.Tests{Count: 3, Skips: 1, Ran: 4},
		Files: []approval.File{
			{Path: "pytest.ini", Mode: "100644", Blob: id1, SHA256: sum1, Role: approval.Config},
			{Path: "tests/<data> ü.json", Mode: "120000", Blob: id1, SHA256: sum1, Role: approval.Support},
			{Path: "tests/test_add.py", Mode: "100755", Blob: id1, SHA256: sum1, Role: approval.Test},
		},
	}
}

func TestRecordRoundTrip(t *testing.T) {
	want := record()
	got, err := approval.Parse(want.Render())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("record (-want +got):\n%s", d)
	}
	shuffled := record()
	shuffled.Files[0], shuffled.Files[2] = shuffled.Files[2], shuffled.Files[0]
	if d := cmp.Diff(string(want.Render()), string(shuffled.Render())); d != "" {
		t.Errorf("the order of files shows:\n%s", d)
	}
	if f, ok := got.File("pytest.ini"); !ok || f.Role != approval.Config {
		t.Errorf("File = %+v, %v", f, ok)
	}
	if _, ok := got.File("pytest"); ok {
		t.Error("File finds what is not there")
	}
}

func TestParseTakesFilesInAnyOrder(t *testing.T) {
	text := `{"version":1,"feature":"add","type":"tests","revision":1,"review":"r.md","head":"` + id1 + `","files":[
		{"path":"b","mode":"100644","blob":"` + id1 + `","sha256":"` + sum1 + `","role":"test"},
		{"path":"a","mode":"100644","blob":"` + id1 + `","sha256":"` + sum1 + `","role":"support"}]}`
	r, err := approval.Parse([]byte(text))
	if err != nil || r.Files[0].Path != "a" {
		t.Errorf("Parse = %+v, %v", r, err)
	}
}

func TestParseTakesFeatures(t *testing.T) {
	for _, name := range []string{"_cart", "shop/_cart", "kärnten", "2-login"} {
		r := record()
		r.Feature = name
		if _, err := approval.Parse(r.Render()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	good := string(record().Render())
	for _, tt := range []struct{ name, old, new, want string }{
		{"another version", `"version": 1`, `"version": 2`, "use the version of workflow-reviewer that wrote it"},
		{"no version", `"version": 1,`, ``, "version is 0"},
		{"another type", `"tests",`, `"spec",`, `must be "tests"`},
		{"an unknown key", `"version": 1`, `"version": 1, "x": 2`, `unknown key "x"`},
		{"a key in other case", `"revision": 2`, `"Revision": 2`, `unknown key "Revision"`},
		{"a repeated key", `"revision": 2`, `"revision": 2, "revision": 3`, `"revision" is there twice`},
		{"a repeated key of a file", `"mode": "100644"`, `"mode": "100755", "mode": "100644"`, `"mode" is there twice`},
		{"a path out of the root", `"pytest.ini"`, `"../pytest.ini"`, "no path inside"},
		{"an absolute path", `"pytest.ini"`, `"/etc/passwd"`, "no path inside"},
		{"a path into .git", `"pytest.ini"`, `".GIT/config"`, "no path inside"},
		{"a path that is not clean", `"pytest.ini"`, `"a//b"`, "no path inside"},
		{"a path with a control character", `"pytest.ini"`, `"a\nb"`, "no path inside"},
		{"a repeated path", `"pytest.ini"`, `"tests/test_add.py"`, "listed twice"},
		{"a short id", id1, id1[:39], "40 or 64"},
		{"an id in capitals", `"blob": "` + id1, `"blob": "` + strings.ToUpper(id1), "40 or 64"},
		{"ids of two kinds", `"blob": "` + id1, `"blob": "` + sum1, "of another kind"},
		{"a bad digest", sum1, sum1[:63] + "g", "sha256"},
		{"a bad mode", "100755", "100777", "mode"},
		{"a submodule", "100755", "160000", "mode"},
		{"a bad role", `"config"`, `"other"`, "role"},
		{"a feature that is a path", `"add"`, `"../add"`, "no name of a feature"},
		{"a feature with a long name", `"add"`, `"` + strings.Repeat("ä", 201) + `"`, "no name of a feature"},
		{"revision 0", `"revision": 2`, `"revision": 0`, "revision"},
		{"a negative count", `"count": 3`, `"count": -1`, "no counts"},
		{"more skips than tests", `"skips": 1`, `"skips": 4`, "no counts"},
		{"something behind it", "}\n", "} {}\n", "after the JSON value"},
		{"no JSON", "{", "<", "invalid character"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(good, tt.old, tt.new, 1)
			if tt.name == "something behind it" {
				text = good + "{}"
			}
			if text == good {
				t.Fatal("the case changes nothing")
			}
			_, err := approval.Parse([]byte(text))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "restore the file") {
				t.Errorf("err = %v, want %q and what to do", err, tt.want)
			}
		})
	}
}

func TestParseIsBounded(t *testing.T) {
	if _, err := approval.Parse(make([]byte, approval.MaxBytes+1)); err == nil {
		t.Error("a record of any size is read")
	}
	if _, err := approval.Parse([]byte(strings.Repeat(`{"files":[`, 10_000))); err == nil {
		t.Error("a record of any depth is read")
	}
	r := record()
	r.Files = nil
	if _, err := approval.Parse(r.Render()); err == nil {
		t.Error("a record of nothing is read")
	}
}

func TestSHA256Repository(t *testing.T) {
	r := record()
	r.Head = sum1
	for i := range r.Files {
		r.Files[i].Blob = sum1
	}
	if _, err := approval.Parse(r.Render()); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(record().Render())
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := approval.Parse(data)
		if err != nil {
			return
		}
		again, err := approval.Parse(r.Render())
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if d := cmp.Diff(r, again); d != "" {
			t.Fatalf("it changes by being written:\n%s", d)
		}
	})
}
