package approval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Parse reads a record strictly, its files in any order: unknown or repeated keys, paths outside of
// the repository, repeated files and malformed ids are errors that say what is
// wrong and what to do. The record may be hostile.
func Parse(data []byte) (Record, error) {
	r, err := parse(data)
	if err != nil {
		return Record{}, fmt.Errorf("read approval record: %w; restore the file from the target branch or have the tests reviewed again", err)
	}
	return r, nil
}

func parse(data []byte) (Record, error) {
	if len(data) > MaxBytes {
		return Record{}, fmt.Errorf("it has %d bytes, at most %d are read", len(data), MaxBytes)
	}
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err == nil && v.Version != Version {
		return Record{}, Record{Version: v.Version}.check()
	}
	if err := noRepeats(data); err != nil {
		return Record{}, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var r Record
	if err := dec.Decode(&r); err != nil {
		return Record{}, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return Record{}, errors.New("there is more after the record")
	}
	if err := r.check(); err != nil {
		return Record{}, err
	}
	r.sort()
	return r, nil
}

// noRepeats is an error if an object has a key twice: encoding/json takes the
// last, another reader the first. Keys that differ in letter case alone are
// the same to encoding/json, so only the exact names are let through.
func noRepeats(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	var seen []map[string]bool // of the open objects; nil for an array
	key := false               // the next string is a key
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := tok.(type) {
		case json.Delim:
			switch t {
			case '{':
				seen = append(seen, map[string]bool{})
			case '[':
				seen = append(seen, nil)
			default:
				seen = seen[:len(seen)-1]
			}
			if len(seen) > 3 {
				return errors.New("it is nested deeper than a record is")
			}
			key = len(seen) > 0 && seen[len(seen)-1] != nil
			continue
		case string:
			if key {
				if err := known(t, seen[len(seen)-1]); err != nil {
					return err
				}
				key = false
				continue
			}
		}
		key = len(seen) > 0 && seen[len(seen)-1] != nil
	}
}

func known(name string, seen map[string]bool) error {
	switch name {
	case "version", "feature", "type", "revision", "review", "head", "files", "path", "mode", "blob", "sha256", "role":
	default:
		return fmt.Errorf("unknown key %q", name)
	}
	if seen[name] {
		return fmt.Errorf("key %q is there twice", name)
	}
	seen[name] = true
	return nil
}
