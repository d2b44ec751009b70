package corpustest_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// applyHunks returns the trees that hunks make of one, by side.
func applyHunks(before map[string]string, text string) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	for _, hunk := range strings.Split(text, "\n<<< ")[1:] {
		head, body, _ := strings.Cut(hunk, "\n")
		body, rest, ok := strings.Cut("\n"+body, "\n>>>")
		side, file, named := strings.Cut(head, " ")
		if !ok || !named || strings.TrimSpace(rest) != "" {
			return nil, fmt.Errorf("hunk %q: no end, or text after it", head)
		}
		if out[side] == nil {
			out[side] = maps.Clone(before)
		}
		if err := applyHunk(out[side], file, body); err != nil {
			return nil, fmt.Errorf("hunk %q: %w", head, err)
		}
	}
	return out, nil
}

func applyHunk(tree map[string]string, file, body string) error {
	if gone, ok := strings.CutSuffix(file, " (deleted)"); ok {
		delete(tree, gone)
		return nil
	}
	if from, to, ok := strings.Cut(file, " > "); ok {
		if tree[from] == "" {
			return fmt.Errorf("no file %s", from)
		}
		tree[to], file = tree[from], to
		delete(tree, from)
		if body == "" {
			return nil
		}
	}
	was, is, edit := strings.Cut(body, "\n===")
	if !edit {
		tree[file] += strings.TrimPrefix(body, "\n") + "\n"
		return nil
	}
	if n := strings.Count("\n"+tree[file], was+"\n"); n != 1 {
		return fmt.Errorf("%d places for %q", n, was)
	}
	tree[file] = strings.TrimPrefix(strings.Replace("\n"+tree[file], was+"\n", is+"\n", 1), "\n")
	return nil
}

// export writes each version of each case, without and with its defect, so that
// the real runners can confirm the labels.
func (c *aimedCase) export(dir string) error {
	for side, tree := range map[string]map[string]string{"before": c.before, "weak": c.weak, "fine": c.fine} {
		if tree == nil {
			continue
		}
		if err := writeTree(filepath.Join(dir, filepath.FromSlash(c.id), side), tree); err != nil {
			return err
		}
		if c.defect == "" {
			continue
		}
		broken, err := applyHunks(tree, "\n"+c.defect)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.id, side, err)
		}
		if err := writeTree(filepath.Join(dir, filepath.FromSlash(c.id), side+"-bug"), broken["bug"]); err != nil {
			return err
		}
	}
	return nil
}

func writeTree(dir string, files map[string]string) error {
	for name, data := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(to, []byte(data), 0o600); err != nil {
			return err
		}
	}
	return nil
}
