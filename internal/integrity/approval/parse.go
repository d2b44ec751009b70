package approval

import (
	"encoding/json"
	"fmt"

	"workflow-reviewer/internal/bom"
	"workflow-reviewer/internal/strictjson"
)

// Parse reads a record strictly, its files in any order: unknown or repeated keys, paths outside of
// the repository, repeated files and malformed ids are errors that say what is wrong and what to
// do. The record may be hostile.
func Parse(data []byte) (Record, error) {
	r, err := parse(data)
	if err != nil {
		return Record{}, fmt.Errorf(
			"read approval record: %w; restore the file from the target branch or have the tests reviewed again",
			err,
		)
	}
	return r, nil
}

// parse reads a record of at most MaxBytes. Unknown and doubled keys are errors, so that no two
// readers see two records.
func parse(data []byte) (Record, error) {
	if len(data) > MaxBytes {
		return Record{}, fmt.Errorf("it has %d bytes, at most %d are read", len(data), MaxBytes)
	}
	data = bom.UTF8(data)
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &v); err == nil && v.Version != Version {
		return Record{}, Record{Version: v.Version}.check()
	}
	var r Record
	if err := strictjson.Decode(data, &r, 3, keys); err != nil {
		return Record{}, err
	}
	if err := r.check(); err != nil {
		return Record{}, err
	}
	r.sort()
	return r, nil
}

// keys are those of a record.
var keys = []string{
	"version", "feature", "type", "revision", "review", "head", "files", "path", "mode", "blob", "sha256", "role",
	"tests", "count", "skips", "ran",
}
