package integrity

import (
	"hash/maphash"

	"workflow-reviewer/internal/integrity/kernel"
)

// texts knows which words stand in files, so that none of the files has to be kept.
type texts struct {
	seed    maphash.Seed
	files   []text
	paths   map[string]int
	holders map[uint64]int // by the hash of a word: the path that holds it, or several
	full    bool           // there are more words
}

// maxWords bounds the different words that are known, some 40 MB.
const maxWords = 2_000_000

// text is a file, which is read again for a name of several words.
type text struct {
	path string
	read func() ([]byte, error)
}

// several stands for more than one path.
const several = -1

func newTexts() *texts {
	return &texts{seed: maphash.MakeSeed(), paths: map[string]int{}, holders: map[uint64]int{}}
}

// add notes the words of a file. A path may have several versions.
func (t *texts) add(path string, data []byte, read func() ([]byte, error)) {
	at, known := t.paths[path]
	if !known {
		at = len(t.paths)
		t.paths[path] = at
	}
	t.files = append(t.files, text{path, read})
	for word := range kernel.Words(data) {
		key := maphash.Bytes(t.seed, word)
		holder, held := t.holders[key]
		switch {
		case held && holder != at:
			t.holders[key] = several
		case !held && len(t.holders) < maxWords:
			t.holders[key] = at
		case !held:
			t.full = true
		}
	}
}

// mention reports whether a file besides the one at a path has a name, as kernel.ContainsWord has
// it. What cannot be told, as a file cannot be read any more or there are too many words, counts as
// mentioned.
func (t *texts) mention(name, except string) bool {
	besides, known := t.paths[except]
	words := 0
	for word := range kernel.Words([]byte(name)) {
		words++
		holder, held := t.holders[maphash.Bytes(t.seed, word)]
		if !held {
			return t.full
		}
		if known && holder == besides {
			return false
		}
		if len(word) == len(name) {
			return true
		}
	}
	for _, f := range t.files {
		if words == 0 || f.path == except {
			continue
		}
		if data, err := f.read(); err != nil || kernel.ContainsWord(data, name) {
			return true
		}
	}
	return false
}
