package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"workflow-reviewer/internal/record"
)

// Save writes report.json, report.html, results.sarif, the prompts of fix/, the reports of bundles
// and every review file under its relative path into dir, which it creates. Nothing is written
// outside of dir. Each file is there whole or not at all. It goes on after an error and returns all
// of them.
func (r Report) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil { // #nosec G301 -- other steps of the job read it
		return fmt.Errorf("create the report folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the report folder: %w", err)
	}
	var errs []error
	made := map[string]bool{} // folders
	put := func(name string, content func(io.Writer) error) {
		var err error
		if folder := path.Dir(name); !made[folder] {
			err, made[folder] = root.MkdirAll(filepath.FromSlash(folder), 0o755), true
		}
		if err == nil {
			err = write(root, filepath.FromSlash(name), content)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("save %q: %w", name, err))
		}
	}
	for _, res := range r.Results {
		put(res.ReviewPath, text(record.Render(res)))
	}
	prompts, _ := r.fixFiles()
	for name, about := range prompts {
		put(name, func(w io.Writer) error {
			return errorOf(io.WriteString(w, r.prompt(about, true)))
		})
	}
	for name, content := range r.bundleFiles() {
		put(name, text([]byte(content)))
	}
	put("report.json", r.writeJSON)
	put("report.html", r.writeHTML)
	put("results.sarif", r.writeSARIF)
	return errors.Join(append(errs, root.Close())...)
}

// text writes a text that is complete.
func text(content []byte) func(io.Writer) error {
	return func(w io.Writer) error { return errorOf(w.Write(content)) }
}

// errorOf is the error of a write.
func errorOf(_ int, err error) error { return err }

// write has a file written under a name of its own, and renamed when it is whole.
func write(root *os.Root, name string, content func(io.Writer) error) error {
	part := name + ".part"
	f, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	err = content(w)
	if err == nil {
		err = w.Flush()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, root.RemoveAll(part))
	}
	return nil
}
