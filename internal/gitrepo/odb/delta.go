package odb

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// applyDelta makes an object from its base, see gitformat-pack(5). A delta that is for another
// base, copies from outside of it or makes more or less than it says is ErrCorrupt; one that makes
// more than limit bytes is ErrTooLarge.
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	size, err := deltaSize(delta)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, ErrTooLarge
	}
	out, err := packfile.PatchDelta(base, delta)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return out, nil
}

// deltaSize reads from the start of a delta the size of what it makes, which follows the base's.
func deltaSize(delta []byte) (int64, error) {
	if _, n := binary.Uvarint(delta); n > 0 {
		size, n := binary.Uvarint(delta[n:])
		if n > 0 && size <= math.MaxInt64 {
			return int64(size), nil
		}
	}
	return 0, fmt.Errorf("%w: size of a delta", ErrCorrupt)
}
