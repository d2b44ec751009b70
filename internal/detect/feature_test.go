package detect_test

import (
	"strings"
	"testing"

	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/workflow"
)

func TestFeature(t *testing.T) {
	spec := func(paths ...string) files {
		out := files{}
		for _, p := range paths {
			out[p] = aSpec
		}
		return out
	}
	for name, tt := range map[string]struct {
		old  files
		path string
		opt  detect.Options
		want string
	}{
		"config before path": {
			spec("specs/doing/login.md"), "src/login.py",
			detect.Options{Features: map[string][]string{"access": {"src/**"}}},
			"access",
		},
		"longest glob": {
			nil, "src/pay/x.py",
			detect.Options{Features: map[string][]string{"all": {"src/**"}, "pay": {"src/pay/**"}}},
			"pay",
		},
		"equal globs by name": {
			nil, "src/x.py",
			detect.Options{Features: map[string][]string{"b": {"src/*"}, "a": {"src/*"}}},
			"a",
		},
		"config below a prefix": {
			nil, "project-content/src/x.py",
			detect.Options{Features: map[string][]string{"a": {"src/*"}}},
			"a",
		},
		"folder":       {spec("specs/done/user-auth.md"), "src/user_auth/db.py", detect.Options{Branch: "x"}, "user-auth"},
		"camel case":   {spec("specs/todo/user-auth.md"), "src/UserAuth.cs", detect.Options{}, "user-auth"},
		"test_ prefix": {spec("specs/todo/login.md"), "tests/test_login.py", detect.Options{}, "login"},
		".test suffix": {spec("specs/todo/login.md"), "web/login.test.ts", detect.Options{}, "login"},
		"_test suffix": {spec("specs/todo/login.md"), "p/login_test.go", detect.Options{}, "login"},
		"_spec suffix": {spec("specs/todo/login.md"), "spec/login_spec.rb", detect.Options{}, "login"},
		"Test suffix":  {spec("specs/todo/login.md"), "src/test/java/LoginTest.java", detect.Options{}, "login"},
		"Tests suffix": {spec("specs/todo/login.md"), "x/LoginTests.cs", detect.Options{}, "login"},
		"IT suffix":    {spec("specs/todo/login.md"), "src/test/java/LoginIT.java", detect.Options{}, "login"},
		"longest segment": {
			spec("specs/todo/pay.md", "specs/todo/payments.md"), "payments/pay.py",
			detect.Options{},
			"payments",
		},
		"a part is not enough": {
			spec("specs/todo/log.md", "specs/todo/b.md"), "src/login.py",
			detect.Options{Branch: "feature/other"},
			"other",
		},
		"label before branch": {
			spec("specs/todo/a.md", "specs/todo/b.md"), "x.py",
			detect.Options{Labels: []string{"bug", "Feature: B"}, Branch: "feature/a"},
			"b",
		},
		"label without spec": {nil, "x.py", detect.Options{Labels: []string{"feature:new thing"}}, "new-thing"},
		"branch names a spec": {
			spec("specs/todo/User_Auth.md", "specs/doing/b.md"), "x.py",
			detect.Options{Branch: "feat/user-auth"},
			"User_Auth",
		},
		"bugfix branch":               {spec("specs/done/a.md"), "x.py", detect.Options{Branch: "bugfix/a"}, "a"},
		"branch with folders":         {spec("specs/done/a.md"), "x.py", detect.Options{Branch: "feature/team/a"}, "a"},
		"other branches name none":    {spec("specs/done/a.md"), "x.py", detect.Options{Branch: "wip/a"}, "wip-a"},
		"two specs in doing":          {spec("specs/doing/a.md", "specs/doing/b.md"), "x.py", detect.Options{Branch: "feature/zzz"}, "zzz"},
		"spec below project-meta":     {spec("project-meta/specs/doing/a.md"), "x.py", detect.Options{Branch: "feature/a"}, "a"},
		"hostile branch":              {nil, "x.py", detect.Options{Branch: "feature/../../.ssh/$(rm)\n"}, "ssh-rm"},
		"branch of nothing":           {nil, "x.py", detect.Options{Branch: ""}, "commit-4ead0000"},
		"branch that is far too long": {nil, "x.py", detect.Options{Branch: strings.Repeat("x", 500)}, strings.Repeat("x", 100)},
	} {
		t.Run(name, func(t *testing.T) {
			got := find(t, tt.old, with(tt.old, files{tt.path: pyReal}), tt.opt)
			if len(got.Artifacts) != 1 || got.Artifacts[0].Feature != tt.want {
				t.Errorf("artifacts = %v, want feature %q", names(got), tt.want)
			}
		})
	}
}

// TestTheOnlySpecInWorkIsAGuess: it is taken where nothing else names a feature, if the history shows that it is
// alive; the review says that it was guessed, and moves nothing for it.
func TestTheOnlySpecInWorkIsAGuess(t *testing.T) {
	alive := func(p string) bool { return p == "specs/doing/a.md" }
	trunks := []string{"main"}
	for name, tt := range map[string]struct {
		opt  detect.Options
		more files
		want string
	}{
		"main":                {detect.Options{Branch: "main", Trunks: trunks, Recent: alive}, nil, "a"},
		"a number":            {detect.Options{Branch: "feature/123", Recent: alive}, nil, "a"},
		"somebody's number":   {detect.Options{Branch: "ann/123", Recent: alive}, nil, "a"},
		"no branch":           {detect.Options{Recent: alive}, nil, "a"},
		"a name":              {detect.Options{Branch: "feature/zzz", Trunks: trunks, Recent: alive}, nil, "zzz"},
		"stale":               {detect.Options{Branch: "12", Recent: func(string) bool { return false }}, nil, "12"},
		"no history":          {detect.Options{Branch: "12"}, nil, "12"},
		"another one in work": {detect.Options{Branch: "12", Recent: alive}, files{"specs/doing/b.md": aSpec}, "12"},
	} {
		old := with(files{"specs/doing/a.md": aSpec, "specs/todo/c.md": aSpec}, tt.more)
		tt.opt.AutoMove = always
		got := find(t, old, with(old, files{"x.py": pyReal}), tt.opt)
		wantNames(t, got, "implementation: "+tt.want+" = x.py")
		if tt.want == "a" {
			wantNotice(
				t,
				got,
				"",
				`the feature "a" is a guess: specs/doing/a.md is the only spec in work`,
			)
		}
		if m := got.Artifacts[0].Move; m != nil {
			t.Errorf("%s: the approval would move %+v", name, m)
		}
	}
}

// TestWordsOfABranchNameASpec: whatever else the branch's name holds.
func TestWordsOfABranchNameASpec(t *testing.T) {
	old := files{
		"specs/done/004-checkin-tracking.md": aSpec, "specs/doing/tracking.md": aSpec, "specs/todo/UserAuth.md": aSpec,
		"specs/todo/api.md": aSpec, "specs/todo/billing-page.md": aSpec, "specs/todo/login-page.md": aSpec,
	}
	for branch, want := range map[string]string{
		"checkin-tracking-phase3":      "004-checkin-tracking",
		"ann/fix_checkin_tracking":     "004-checkin-tracking",
		"bugfix/tracking-of-parcels":   "tracking",
		"JIRA-12-userAuth":             "UserAuth",
		"user-authors":                 "user-authors", // not its words
		"tracking-checkin":             "tracking",     // not in its order
		"fix-api-timeouts":             "fix-api-timeouts",
		"login-page-like-billing-page": "billing-page",
		"page-of-login":                "page-of-login",
	} {
		got := find(t, old, with(old, files{"x.py": pyReal}), detect.Options{Branch: branch})
		wantNames(t, got, "implementation: "+want+" = x.py")
	}
	equal := files{"specs/todo/cart-list.md": aSpec, "specs/todo/list-cart.md": aSpec}
	got := find(
		t,
		equal,
		with(equal, files{"x.py": pyReal}),
		detect.Options{Branch: "fix-cart-list-cart"},
	)
	wantNames(t, got, "implementation: fix-cart-list-cart = x.py")
}

func TestOneChangeHoldsSeveralFeatures(t *testing.T) {
	old := files{"specs/doing/a.md": aSpec, "specs/doing/b.md": aSpec}
	got := find(
		t,
		old,
		with(
			old,
			files{
				"src/a.py":        pyReal,
				"src/b.py":        pyReal,
				"tests/test_b.py": pyTest,
				"src/util.py":     pyReal,
			},
		),
		detect.Options{Branch: "feature/a", AutoMove: always},
	)
	wantNames(
		t,
		got,
		"tests: b = tests/test_b.py",
		"implementation: a = src/a.py src/util.py",
		"implementation: b = src/b.py",
	)
	if m := got.Artifacts[1].Move; m == nil ||
		*m != (workflow.Move{From: "specs/doing/a.md", To: "specs/done/a.md"}) {
		t.Errorf("move = %v", m)
	}
}

func TestMissingSpecIsNoticed(t *testing.T) {
	old := files{"specs/done/login.md": aSpec}
	got := find(t, old, with(old, files{"x.py": pyReal}), detect.Options{Branch: "feature/cart"})
	wantNames(t, got, "implementation: cart = x.py")
	if len(got.Notices) != 1 || !got.Notices[0].Warns() ||
		!strings.Contains(got.Notices[0].Text, `no spec was found for feature "cart"`) {
		t.Errorf("notices = %v", got.Notices)
	}
}

// TestNoNaggingWithoutSpecs: whoever has no specs is not warned that there is
// none.
func TestNoNaggingWithoutSpecs(t *testing.T) {
	got := find(t, nil, files{"x.py": pyReal}, detect.Options{Branch: "feature/cart"})
	if len(got.Notices) != 1 || got.Notices[0].Warns() {
		t.Errorf("notices = %v", got.Notices)
	}
}

func FuzzFeatureIsSafe(f *testing.F) {
	f.Add("feature/x", "feature: y", "src/z.py", "w")
	f.Add("../..", "feature:\x00", "a/../b.py", "日本")
	f.Fuzz(func(t *testing.T, branch, label, path, stem string) {
		if path == "" || strings.HasPrefix(path, "specs/") || strings.Contains(stem, "/") {
			return
		}
		old := files{"specs/doing/" + stem + ".md": aSpec}
		got := find(
			t,
			old,
			with(old, files{path: pyReal}),
			detect.Options{Branch: branch, Labels: []string{label}},
		)
		for _, a := range got.Artifacts {
			if a.Feature == "" || len(a.Feature) > 120 || strings.Trim(
				a.Feature,
				"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.",
			) != "" || strings.HasPrefix(a.Feature, ".") {
				t.Errorf("feature %q is not safe in a file name", a.Feature)
			}
		}
	})
}
