package codex_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workflow-reviewer/internal/codex"
	"workflow-reviewer/internal/codex/codextest"
	"workflow-reviewer/internal/review"
)

// TestCodexIsFoundWhereverItIs: whatever stands on the PATH, what is run is the
// native binary, beside which codex-code-mode-host lies.
func TestCodexIsFoundWhereverItIs(t *testing.T) {
	native := codextest.Binary(t)
	if real, err := filepath.EvalSymlinks(native); err == nil {
		native = real
	}
	for name, lay := range map[string]func(root string){
		"the binary's own folder": func(root string) { link(t, native, root+"/bin/codex") },
		"a link to a link": func(root string) {
			link(t, native, root+"/opt/codex-0.169")
			link(t, root+"/opt/codex-0.169", root+"/bin/codex")
		},
		"npm": func(root string) {
			pkg := root + "/lib/node_modules/@openai/codex"
			write(t, pkg+"/bin/codex.js", "#!/bin/sh\nexit 9\n")
			link(t, filepath.Dir(native), pkg+"/node_modules/@openai/codex-linux-x64/vendor/x/bin")
			link(t, pkg+"/bin/codex.js", root+"/bin/codex")
		},
		"pnpm": func(root string) {
			store := root + "/global/5/.pnpm/@openai+codex@0.169.0/node_modules/@openai"
			write(t, store+"/codex/bin/codex.js", "unused")
			link(t, filepath.Dir(native), store+"/codex-linux-x64/vendor/x/bin")
			link(t, store+"/codex", root+"/global/5/node_modules/@openai/codex")
			// As pnpm writes it, but for node, which here is what the launcher would start.
			write(t, root+"/bin/codex", "#!/bin/sh\nbasedir=$(dirname \"$(echo \"$0\" | sed -e 's,\\\\,/,g')\")\n"+
				"exec \"$basedir/../global/5/node_modules/@openai/codex-linux-x64/vendor/x/bin/codex\" \"$@\"\n")
			link(t, store+"/codex-linux-x64", root+"/global/5/node_modules/@openai/codex-linux-x64")
		},
		"a shell wrapper": func(root string) { write(t, root+"/bin/codex", "#!/bin/sh\nexec "+native+" \"$@\"\n") },
		"a wrapper of a wrapper": func(root string) {
			write(t, root+"/opt/run", "#!/bin/sh\n"+native+" \"$@\"\n")
			write(t, root+"/bin/codex", "#!/bin/sh\nexport MORE=1\n"+root+"/opt/run \"$@\"\n")
		},
		// A shim of mise is a link to mise itself, which looks at the name it was
		// called by and at the user's home.
		"mise": func(root string) {
			write(t, root+"/opt/mise", "#!/bin/sh\n[ \"${0##*/}\" = codex ] || exit 8\n"+
				"exec \"$MISE_DATA_DIR/installs/codex/bin/codex\" \"$@\"\n")
			link(t, native, root+"/home/mise/installs/codex/bin/codex")
			link(t, root+"/opt/mise", root+"/bin/codex")
		},
		"asdf": func(root string) {
			write(t, root+"/home/.asdf/bin/asdf", "#!/bin/sh\nshift 2\nexec \"$HOME/.asdf/installs/codex\" \"$@\"\n")
			link(t, native, root+"/home/.asdf/installs/codex")
			write(t, root+"/bin/codex", "#!/bin/sh\n# asdf-plugin: nodejs 22.1.0\nexec "+root+"/home/.asdf/bin/asdf exec codex \"$@\"\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			lay(root)
			opts := codex.Options{
				PathEnv: root + "/bin:/usr/bin:/bin", TempDir: t.TempDir(),
				WrapperEnv: []string{"HOME=" + root + "/home", "MISE_DATA_DIR=" + root + "/home/mise"},
			}
			for _, path := range []string{"", root + "/bin/codex"} {
				opts.Path = path
				got, err := codex.Find(t.Context(), opts)
				if real, _ := filepath.EvalSymlinks(got); err != nil || real != native {
					t.Errorf("%q: %q, %v; want %q", path, got, err, native)
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(got), "codex-code-mode-host")); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestCodexThatIsMissing: the error says how to get it, once.
func TestCodexThatIsMissing(t *testing.T) {
	_, err := codex.New(t.Context(), codex.Options{
		PathEnv: t.TempDir(), TempDir: t.TempDir(), APIKey: "k", Endpoint: "http://127.0.0.1:1/responses",
	})
	var e *review.EngineError
	if !errors.As(err, &e) {
		t.Fatalf("error %v", err)
	}
	if told := e.Message + "\n" + e.Action; strings.Count(told, "npm install -g @openai/codex@"+codex.Pinned) != 1 ||
		!strings.Contains(told, `"codex" was not found in PATH`) {
		t.Errorf("told\n%s", told)
	}
}

// TestWrapperThatLeadsNowhere is started as it is: what is wrong with it is told
// when it does not run.
func TestWrapperThatLeadsNowhere(t *testing.T) {
	root := t.TempDir()
	write(t, root+"/bin/codex", "#!/bin/sh\necho '{\"checks\":{\"runtime.provenance\":{\"details\":{\"current "+
		"executable\":\"/etc/passwd\"}}}}'\nexit 1\n")
	_, err := codex.New(t.Context(), codex.Options{
		PathEnv: root + "/bin", TempDir: t.TempDir(), APIKey: "k", Endpoint: "http://127.0.0.1:1/responses",
	})
	if err == nil || !strings.Contains(err.Error(), "does not run") {
		t.Errorf("error %v", err)
	}
}

func link(t *testing.T, target, at string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.Symlink(target, at)); err != nil {
		t.Fatal(err)
	}
}
