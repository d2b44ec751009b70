package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// HTML renders a document as HTML without raw HTML of its own: the result is
// safe to put into a page.
func HTML(doc string) (string, error) {
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.Table)).Convert([]byte(doc), &b); err != nil {
		return "", err
	}
	return b.String(), nil // goldmark without WithUnsafe escapes raw HTML and dangerous URLs
}
