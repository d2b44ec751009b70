// Package strictjson reads JSON that others wrote, with one meaning for every reader.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Decode decodes one JSON value and nothing after it. A key that is repeated, or that v does not
// know by this very spelling, is an error. Keys are those that v may hold at any depth; values are
// nested at most depth levels deep.
func Decode(data []byte, v any, depth int, keys []string) error {
	if err := UniqueKeys(data, depth, keys); err != nil {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return harmless(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after the JSON value")
	}
	return nil
}

// Unmarshal is json.Unmarshal with an error that may be printed: it quotes what was read, cut.
func Unmarshal(data []byte, v any) error {
	return harmless(json.Unmarshal(data, v))
}

// UniqueKeys reads a JSON value and is an error if an object in it has a key twice – encoding/json
// takes the last, another reader the first –, or one that is not allowed; nil allows all. Values
// are nested at most depth levels deep. Since encoding/json ignores the case of letters, only a
// list of the allowed names makes keys exact.
func UniqueKeys(data []byte, depth int, allowed []string) error {
	return harmless(uniqueKeys(json.NewDecoder(bytes.NewReader(data)), depth, allowed))
}

// uniqueKeys is UniqueKeys of the next value.
func uniqueKeys(dec *json.Decoder, depth int, allowed []string) error {
	tok, err := dec.Token()
	open, nested := tok.(json.Delim)
	switch {
	case err != nil || !nested:
		return err
	case depth == 0:
		return errors.New("it is nested too deep")
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
		if err := uniqueKeys(dec, depth-1, allowed); err != nil {
			return err
		}
	}
	_, err = dec.Token()
	return err
}
