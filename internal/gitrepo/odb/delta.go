package odb

import "fmt"

// applyDelta makes an object from its base: a list of copies from the base and of literal bytes,
// see gitformat-pack(5). A delta that is for another base, copies from outside of it or makes
// more or less than it says is ErrCorrupt; one that makes more than limit bytes is ErrTooLarge.
func applyDelta(base, delta []byte, limit int64) ([]byte, error) {
	from, delta, err := varint(delta)
	if err != nil {
		return nil, err
	}
	size, delta, err := varint(delta)
	if err != nil {
		return nil, err
	}
	if from != int64(len(base)) {
		return nil, fmt.Errorf("%w: delta is for another base", ErrCorrupt)
	}
	if size > limit {
		return nil, ErrTooLarge
	}
	out := make([]byte, 0, size)
	for len(delta) > 0 {
		var piece []byte
		if piece, delta, err = instruction(base, delta); err != nil {
			return nil, err
		}
		if int64(len(out)+len(piece)) > size {
			return nil, fmt.Errorf("%w: delta makes too much", ErrCorrupt)
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, fmt.Errorf("%w: delta makes too little", ErrCorrupt)
	}
	return out, nil
}

// instruction reads one step of a delta and returns the bytes it adds.
func instruction(base, delta []byte) (piece, rest []byte, err error) {
	op := delta[0]
	delta = delta[1:]
	if op&0x80 == 0 {
		if op == 0 || int(op) > len(delta) {
			return nil, nil, fmt.Errorf("%w: delta instruction", ErrCorrupt)
		}
		return delta[:op], delta[op:], nil
	}
	var offset, size int
	for bit := range 7 {
		if op&(1<<bit) == 0 {
			continue
		}
		if len(delta) == 0 {
			return nil, nil, fmt.Errorf("%w: delta is cut short", ErrCorrupt)
		}
		if bit < 4 {
			offset |= int(delta[0]) << (8 * bit)
		} else {
			size |= int(delta[0]) << (8 * (bit - 4))
		}
		delta = delta[1:]
	}
	if size == 0 { // the format cannot say it otherwise
		size = 0x10000
	}
	if offset > len(base) || size > len(base)-offset {
		return nil, nil, fmt.Errorf("%w: delta copies from outside its base", ErrCorrupt)
	}
	return base[offset : offset+size], delta, nil
}

// varint reads a little-endian number of seven bits a byte, of nine bytes at most, so that it
// cannot overflow.
func varint(b []byte) (n int64, rest []byte, err error) {
	for i, c := range b {
		if i > 8 {
			break
		}
		n |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return n, b[i+1:], nil
		}
	}
	return 0, nil, fmt.Errorf("%w: number in delta", ErrCorrupt)
}
