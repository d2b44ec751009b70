// Package lazyregexp has regular expressions that are compiled when they are first used. The
// program starts anew for each child that parses, and compiling all that it knows took longer than
// most files.
package lazyregexp

import (
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression for any number of goroutines. Its methods are those of
// regexp.Regexp.
type Regexp struct {
	text    string
	compile func() *regexp.Regexp
}

// New is an expression that panics when it is first used if it is none.
func New(text string) *Regexp {
	return &Regexp{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// Quote is an expression for a text as it stands: regexp.QuoteMeta, but of a text
// that is not UTF-8, as names of files may be, without what is none.
func Quote(text string) string { return regexp.QuoteMeta(strings.ToValidUTF8(text, "")) }

// String is the expression as it was given.
func (r *Regexp) String() string { return r.text }

// Match is regexp.Regexp.Match.
func (r *Regexp) Match(b []byte) bool { return r.compile().Match(b) }

// MatchString is regexp.Regexp.MatchString.
func (r *Regexp) MatchString(s string) bool { return r.compile().MatchString(s) }

// FindString is regexp.Regexp.FindString.
func (r *Regexp) FindString(s string) string { return r.compile().FindString(s) }

// FindStringIndex is regexp.Regexp.FindStringIndex.
func (r *Regexp) FindStringIndex(s string) []int { return r.compile().FindStringIndex(s) }

// FindStringSubmatch is regexp.Regexp.FindStringSubmatch.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compile().FindStringSubmatch(s) }

// FindStringSubmatchIndex is regexp.Regexp.FindStringSubmatchIndex.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.compile().FindStringSubmatchIndex(s)
}

// FindAllString is regexp.Regexp.FindAllString.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compile().FindAllString(s, n) }

// FindAllStringSubmatch is regexp.Regexp.FindAllStringSubmatch.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compile().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is regexp.Regexp.FindAllStringSubmatchIndex.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compile().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is regexp.Regexp.ReplaceAllString.
func (r *Regexp) ReplaceAllString(s, by string) string {
	return r.compile().ReplaceAllString(s, by)
}

// ReplaceAllStringFunc is regexp.Regexp.ReplaceAllStringFunc.
func (r *Regexp) ReplaceAllStringFunc(s string, by func(string) string) string {
	return r.compile().ReplaceAllStringFunc(s, by)
}

// FindIndex is regexp.Regexp.FindIndex.
func (r *Regexp) FindIndex(b []byte) []int { return r.compile().FindIndex(b) }

// Split is regexp.Regexp.Split.
func (r *Regexp) Split(s string, n int) []string { return r.compile().Split(s, n) }

// FindAllSubmatch is regexp.Regexp.FindAllSubmatch.
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte {
	return r.compile().FindAllSubmatch(b, n)
}

// FindAll is regexp.Regexp.FindAll.
func (r *Regexp) FindAll(b []byte, n int) [][]byte { return r.compile().FindAll(b, n) }

// FindSubmatch is regexp.Regexp.FindSubmatch.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.compile().FindSubmatch(b) }
