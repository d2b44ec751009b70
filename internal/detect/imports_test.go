package detect_test

import (
	"path"
	"slices"
	"strings"
	"testing"

	"workflow-reviewer/internal/detect"
)

// TestImportsBesideSkeletons: a skeleton may be taken into an old file, where that changes nothing
// else.
func TestImportsBesideSkeletons(t *testing.T) {
	stub := map[string]string{
		"py": "def login():\n    raise NotImplementedError\n",
		"rs": "pub fn login() {\n    todo!()\n}\n",
		"ts": "export function login(): void {\n  throw new Error('not implemented')\n}\n",
	}
	for name, c := range map[string]struct {
		old, now string
		skeleton bool
	}{
		"__init__.py":  {"from .core import run\n", "from .core import run\nfrom .login import login\n", true},
		"app.py":       {"import os\n\ndef run():\n    return 1\n", "import os\nfrom .login import login\n\ndef run():\n    return 1\n", true},
		"lib.rs":       {"mod core;\n\npub fn run() -> u8 { 1 }\n", "mod core;\npub mod login;\n\npub fn run() -> u8 { 1 }\n", true},
		"index.ts":     {"export { run } from './core'\n", "export { run } from './core'\nexport { login } from './login'\n", true},
		"star.ts":      {"export * from './core'\n", "export * from './core'\nexport { login } from './login'\n", false},
		"again.py":     {"from .core import login\n", "from .core import login\nfrom .login import login\n", false},
		"instead.py":   {"from .core import run\n", "from .login import login\n", false},
		"setting.py":   {"OPEN = False\n", "OPEN = False\nfrom .login import login\nOPEN = True\n", false},
		"one_line.py":  {"OPEN = False\n", "OPEN = False\nfrom .login import login; OPEN = True\n", false},
		"renamed.py":   {"from .core import run\n", "from .core import run\nfrom .login import login as run\n", false},
		"condition.py": {"A = 1\n", "A = 1\nif A:\n    from .login import login\n", false},
	} {
		file, of := "src/login/"+name, path.Ext(name)[1:]
		got := find(t, files{file: c.old}, files{file: c.now, "src/login/login." + of: stub[of]}, detect.Options{Branch: "login"})
		want := []string{"skeleton: login = src/login/login." + of, "implementation: login = " + file}
		if c.skeleton {
			want = []string{"skeleton: login = " + strings.Join(slices.Sorted(slices.Values([]string{file, "src/login/login." + of})), " ")}
		}
		wantNames(t, got, want...)
	}
}
