package report

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"workflow-reviewer/internal/record"
)

// Save writes report.json, report.html, results.sarif, the prompts of fix/, the
// reports of bundles and every review file under its relative path into dir,
// which it creates. Nothing is written outside of dir.
// Each file is there whole or not at all. It goes on after an error and returns
// all of them.
func (r Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- other steps of the job read it
		return fmt.Errorf("create the report folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the report folder: %w", err)
	}
	var errs []error
	put := func(name string, content []byte, err error) {
		if err == nil {
			err = write(root, name, content)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("save %q: %w", name, err))
		}
	}
	for _, res := range r.Results {
		put(res.ReviewPath, record.Render(res), nil)
	}
	prompts, _ := r.fixFiles()
	for name, text := range prompts {
		put(name, []byte(text), nil)
	}
	for name, text := range r.bundleFiles() {
		put(name, []byte(text), nil)
	}
	content, err := r.JSON()
	put("report.json", content, err)
	content, err = r.HTML()
	put("report.html", content, err)
	content, err = r.SARIF()
	put("results.sarif", content, err)
	return errors.Join(append(errs, root.Close())...)
}

func write(root *os.Root, name string, content []byte) error {
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
		return err
	}
	name = filepath.FromSlash(name)
	part := name + ".part"
	err := root.WriteFile(part, content, 0o644)
	if err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, root.RemoveAll(part))
	}
	return nil
}
