package approval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Parse reads a record strictly, its files in any order: unknown or repeated keys, paths outside of the repository,
// repeated files and malformed ids are errors that say what is wrong and what to do. The record may be hostile.
func Parse(data []byte) (Record, error) {
	r, err := parse(data)
	if err != nil {
		return Record{}, fmt.Errorf("read approval record: %w; restore the file from the target branch or have the tests reviewed again",
			err)
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
	if err := UniqueKeys(json.NewDecoder(bytes.NewReader(data)), 3, keys); err != nil {
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

// UniqueKeys reads a JSON value and is an error if an object in it has a key twice – encoding/json takes the last,
// another reader the first –, or one that is not allowed; nil allows all. Values are nested at most depth levels deep.
func UniqueKeys(dec *json.Decoder, depth int, allowed []string) error {
	tok, err := dec.Token()
	open, nested := tok.(json.Delim)
	switch {
	case err != nil || !nested:
		return err
	case depth == 0:
		return errors.New("it is nested deeper than a record is")
	}
	seen := map[string]bool{}
	for dec.More() {
		if open == '{' {
			key, err := dec.Token()
			name, _ := key.(string)
			switch {
			case err != nil:
				return err
			case allowed != nil && !slices.Contains(allowed, name):
				return fmt.Errorf("unknown key %q", name)
			case seen[name]:
				return fmt.Errorf("key %q is there twice", name)
			}
			seen[name] = true
		}
		if err := UniqueKeys(dec, depth-1, allowed); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}

// keys are those of a record. encoding/json takes keys that differ in letter
// case for the same, so only the exact names are let through.
var keys = []string{"version", "feature", "type", "revision", "review", "head", "files", "path", "mode", "blob", "sha256", "role"}
