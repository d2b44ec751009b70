package odb

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
)

// inflate returns what a zlib stream holds, limit bytes at most, and whether it ends there; see RFC
// 1950 and 1951. The checksum behind the stream is not compared, as objects are known by their ids.
// Objects are small, so that compress/zlib spends most of its time on beginning a stream.
func inflate(src []byte, limit int64) (data []byte, ended bool, err error) {
	s := streams.Get().(*stream) //nolint:errcheck,forcetypeassert // it holds nothing else
	defer func() {
		s.input, s.out = input{}, nil
		streams.Put(s)
	}()
	s.input = input{src: src}
	s.out, s.limit, s.full = make([]byte, 0, min(limit, 1<<20)), int(limit), false
	head := s.take(16)
	deflated := head&0x0f == 8 && head&0x2000 == 0              // with no dictionary
	ok := deflated && bits.ReverseBytes16(uint16(head))%31 == 0 //nolint:gosec // 16 bits
	for final := false; ok && !s.cut && !s.full && !final; {
		final = s.take(1) == 1
		ok = s.block(s.take(2))
	}
	if !ok || s.cut {
		return nil, false, fmt.Errorf("%w: compressed data", ErrCorrupt)
	}
	return s.out, !s.full, nil
}

// inflateAll returns the content of a stream that must have this size.
func inflateAll(src []byte, size int64) ([]byte, error) {
	data, ended, err := inflate(src, size)
	if err == nil && (!ended || int64(len(data)) != size) {
		err = fmt.Errorf("%w: content is not of %d bytes", ErrCorrupt, size)
	}
	return data, err
}

// streams is a pool, not state: what is in it does not matter.
var streams = sync.Pool{New: func() any { return &stream{} }}

// input are compressed bytes as bits.
type input struct {
	src   []byte
	at    int    // of the next byte that is not in bits
	bits  uint64 // the next ones, the lowest first
	count uint   // how many of them there are
	cut   bool   // more bits were asked for than there are
}

// stream is one run of inflate.
type stream struct {
	input
	out   []byte
	limit int
	full  bool   // the content is longer than limit
	codes *codes // of the block
	own   codes  // that a block came with
}

// fill takes in bits: 56 or more, unless the source ends.
func (s *input) fill() {
	if s.at+8 <= len(s.src) {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.at:]) << s.count
		taken := (63 - s.count) / 8
		s.at += int(taken)
		s.count += 8 * taken
		return
	}
	for ; s.count <= 56 && s.at < len(s.src); s.at++ {
		s.bits |= uint64(s.src[s.at]) << s.count
		s.count += 8
	}
}

// take returns the next n bits, 16 at most.
func (s *input) take(n uint) int {
	if s.count < n {
		if s.fill(); s.count < n {
			s.cut = true
			return 0
		}
	}
	value := s.bits & (1<<n - 1)
	s.bits >>= n
	s.count -= n
	return int(value) //nolint:gosec // 16 bits
}

// block reads a block of a kind, and reports whether it makes sense.
func (s *stream) block(kind int) bool {
	switch kind {
	case 0:
		return s.stored()
	case 1:
		s.codes = fixedCodes()
		return s.coded()
	case 2:
		return s.tables() && s.coded()
	}
	return false
}

// stored copies a block that is not compressed, from the next whole byte on.
func (s *stream) stored() bool {
	s.take(s.count % 8)
	size := s.take(16)
	if s.take(16) != size^0xffff {
		return false
	}
	s.at -= int(s.count / 8)
	s.bits, s.count = 0, 0
	size = s.room(size) // of which src may be but the start
	if size > len(s.src)-s.at {
		return false
	}
	s.out = append(s.out, s.src[s.at:s.at+size]...)
	s.at += size
	return true
}

// room is how much of so many bytes the limit allows.
func (s *stream) room(size int) int {
	left := s.limit - len(s.out)
	s.full = s.full || size > left
	return min(size, left)
}

// lengthOrder is the order in which a block lists the lengths of its first code.
const lengthOrder = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

// codes are the two of a block.
type codes struct{ literals, distances huffman }

// fixedCodes are those of blocks that come without. They are a constant that is made once.
var fixedCodes = sync.OnceValue(func() *codes {
	var literals, distances codeList
	for symbol := range 288 {
		length := 8
		if symbol >= 144 && symbol < 256 {
			length = 9
		} else if symbol >= 256 && symbol < 280 {
			length = 7
		}
		literals.add(symbol, length)
	}
	for symbol := range 30 {
		distances.add(symbol, 5)
	}
	fixed := &codes{}
	fixed.literals.build(&literals)
	fixed.distances.build(&distances)
	return fixed
})

// tables reads the codes that a block comes with.
func (s *stream) tables() bool {
	split := s.take(5) + 257
	all, first := split+s.take(5)+1, s.take(4)+4
	var given [19]int
	for _, symbol := range []byte(lengthOrder[:first]) {
		given[symbol] = s.take(3)
	}
	var literals, distances, lengths codeList
	for symbol, length := range given {
		lengths.add(symbol, length)
	}
	s.codes = &s.own
	codeOfLengths := &s.own.distances // which are not known before
	if !codeOfLengths.build(&lengths) {
		return false
	}
	length := 0
	for i := 0; i < all; {
		symbol, times := s.symbol(codeOfLengths), 1
		switch symbol {
		case 16:
			times = 3 + s.take(2)
		case 17:
			length, times = 0, 3+s.take(3)
		case 18:
			length, times = 0, 11+s.take(7)
		default:
			length = symbol
		}
		if symbol < 0 || symbol == 16 && i == 0 || times > all-i {
			return false
		}
		for end := i + times; i < end; i++ {
			if i < split {
				literals.add(i, length)
			} else {
				distances.add(i-split, length)
			}
		}
	}
	return s.own.literals.build(&literals) && s.own.distances.build(&distances)
}

// endOfBlock is the symbol behind all literal bytes.
const endOfBlock = 256

// coded reads literal bytes and copies of earlier ones up to the end of a block.
func (s *stream) coded() bool {
	for !s.full {
		symbol := s.symbol(&s.codes.literals)
		switch {
		case symbol == endOfBlock:
			return true
		case symbol < 0 || symbol > endOfBlock && !s.repeat(symbol-endOfBlock-1):
			return false
		case symbol < endOfBlock && s.room(1) == 1:
			s.out = append(s.out, byte(symbol))
		}
	}
	return true
}

// repeat copies bytes from a distance, which may reach into what it writes.
func (s *stream) repeat(code int) bool {
	length := 258
	if code < 28 {
		length = 3 + s.number(code, 2)
	}
	far := s.symbol(&s.codes.distances)
	if code > 28 || far < 0 || far > 29 {
		return false
	}
	from := len(s.out) - 1 - s.number(far, 1)
	if from < 0 {
		return false
	}
	for left := s.room(length); left > 0; {
		piece := s.out[from:min(from+left, len(s.out))]
		s.out = append(s.out, piece...)
		left -= len(piece)
	}
	return true
}

// number is a length or a distance by its code, of which 2^group have as many more bits each.
func (s *stream) number(code int, group uint) int {
	if code>>group < 2 {
		return code
	}
	more := uint(code>>group) - 1
	return (1<<group|code&(1<<group-1))<<more | s.take(more)
}

const (
	maxCode  = 15 // bits of the longest code
	fastBits = 9  // of codes that are found at once
)

// code is a symbol, and in the last four bits the length of its code.
type code uint16

// codeList is of symbols in their order.
type codeList struct {
	codes [288]code
	count int
}

// add appends a symbol, unless it has no code.
func (l *codeList) add(symbol, length int) {
	if length > 0 {
		l.codes[l.count] = code(symbol<<4 | length) //nolint:gosec // 9 and 4 bits
		l.count++
	}
}

// huffman is a code of up to 288 symbols.
type huffman struct {
	fast   [1 << fastBits]code // by the next bits; 0 = not found
	bits   int                 // of an index of fast that are in use
	counts [maxCode + 1]uint16 // of codes by their length
	sorted [288]code           // by length, then by symbol: the order of the codes
}

// build makes a code. It is false if there are more symbols than there is room for.
func (h *huffman) build(l *codeList) bool {
	h.counts = [maxCode + 1]uint16{}
	for _, c := range l.codes[:l.count] {
		h.counts[c&15]++
	}
	var ranks [maxCode + 1]uint16 // of the next symbol with a code of this length
	for n := 2; n <= maxCode; n++ {
		ranks[n] = ranks[n-1] + h.counts[n-1]
	}
	for _, c := range l.codes[:l.count] {
		h.sorted[ranks[c&15]] = c
		ranks[c&15]++
	}
	return h.index(l.count)
}

// index fills the table of short codes. All indices that end in a code lead to its symbol: with
// each longer code the table doubles. It is false if codes do not fit in their lengths.
func (h *huffman) index(symbols int) bool {
	next, rank := 0, 0
	h.fast[0], h.bits = 0, 0
	for l := 1; rank < symbols; l++ {
		if l <= fastBits {
			copy(h.fast[1<<h.bits:], h.fast[:1<<h.bits])
			h.bits = l
		}
		for range h.counts[l] {
			if next >= 1<<l {
				return false
			}
			if l <= fastBits {
				at := bits.Reverse16(uint16(next)) >> (16 - l)
				h.fast[at] = h.sorted[rank]
			}
			next++
			rank++
		}
		next <<= 1
	}
	return true
}

// symbol reads the next symbol of a code; -1 where there is none.
func (s *input) symbol(h *huffman) int {
	if s.count < maxCode {
		s.fill()
	}
	if c := h.fast[s.bits&(1<<h.bits-1)]; c != 0 && uint(c&15) <= s.count {
		s.bits >>= c & 15
		s.count -= uint(c & 15)
		return int(c >> 4)
	}
	value, first, rank := 0, 0, 0
	for l := uint(1); l <= min(maxCode, s.count); l++ {
		value, first = value<<1|int(s.bits>>(l-1)&1), first<<1
		n := int(h.counts[l])
		if value-first < n {
			s.bits >>= l
			s.count -= l
			return int(h.sorted[rank+value-first] >> 4)
		}
		rank += n
		first += n
	}
	return -1
}
