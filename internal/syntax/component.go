package syntax

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// script is the element of a component that holds its code.
var script = regexp.MustCompile(`(?is)<script\b([^>]*)>(.*?)</script\s*>`)

// Script is what can be parsed of a file by its name: all of it in a language of the table; of a
// component in Vue or Svelte its scripts, as TypeScript, in which everything else is blank and
// every line stands where it stood. False where nothing can.
func Script(file string, src []byte) (Language, []byte, bool) {
	if lang, ok := LanguageOf(file); ok {
		return lang, src, true
	}
	if ext := strings.ToLower(path.Ext(file)); ext != ".vue" && ext != ".svelte" {
		return "", nil, false
	}
	lang, blank := TypeScript, bytes.Clone(src)
	for i, b := range blank {
		if b != '\n' && b != '\r' {
			blank[i] = ' '
		}
	}
	for _, at := range script.FindAllSubmatchIndex(src, -1) {
		copy(blank[at[4]:at[5]], src[at[4]:at[5]])
		if attributes := string(src[at[2]:at[3]]); strings.Contains(attributes, "tsx") ||
			strings.Contains(attributes, "jsx") {
			lang = TSX
		}
	}
	return lang, blank, true
}
