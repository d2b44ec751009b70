package xmlscan_test

import (
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"workflow-reviewer/internal/xmlscan"
)

// element is any element with its text and one below it.
type element struct {
	XMLName xml.Name
	ID      string    `xml:"id,attr"`
	Text    string    `xml:",chardata"`
	Inner   []element `xml:",any"`
}

func (e element) String() string {
	out := fmt.Sprintf("<%s id=%q>%s", e.XMLName.Local, e.ID, e.Text)
	for _, i := range e.Inner {
		out += i.String()
	}
	return out + "</>"
}

func TestScan(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"nested":          {`<a id="1"><b>x</b></a>`, `<a id="1"><b id="">x</></>`},
		"doctype ignored": {`<!DOCTYPE a SYSTEM "http://x/y.dtd"><a/>`, `<a id=""></>`},
		"latin1":          {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>", `<a id="">é</>`},
		"windows":         {"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>\x80</a>", `<a id="">€</>`},
		"code page":       {"<?xml version=\"1.0\" encoding=\"Cp1251\"?><a>\xff</a>", `<a id="">я</>`},
		"russian":         {"<?xml version=\"1.0\" encoding=\"KOI8-R\"?><a>\xc1</a>", `<a id="">а</>`},
		"ascii":           {"<?xml version=\"1.0\" encoding=\"US-ASCII\"?><a>x</a>", `<a id="">x</>`},
		"terminal colour": {"<a>\x1b[31mred</a>", `<a id=""> [31mred</>`},
		"utf-8 mark":      {"\ufeff<a/>", `<a id=""></>`},
		"utf-16":          {"\xff\xfe<\x00a\x00/\x00>\x00", `<a id=""></>`},
	} {
		t.Run(name, func(t *testing.T) {
			var e element
			if err := xmlscan.Decode([]byte(tc.in), &e); err != nil {
				t.Fatal(err)
			}
			if got := e.String(); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestScanRefuses(t *testing.T) {
	bomb := `<!DOCTYPE a [<!ENTITY b "bbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>`
	for name, tc := range map[string]struct{ in, want string }{
		"empty":          {"", "no XML element"},
		"text":           {"all passing", "text outside"},
		"truncated":      {"<a><b></b>", "unexpected EOF"},
		"second root":    {"<a/><a/>", "second root"},
		"entity":         {bomb, "invalid character entity"},
		"too deep":       {strings.Repeat("<a>", 100_000), "nested deeper"},
		"too large":      {strings.Repeat(" ", xmlscan.MaxBytes+1), "larger than"},
		"other encoding": {`<?xml version="1.0" encoding="klingon"?><a/>`, "klingon"},
		"long entity":    {"<a>&" + strings.Repeat("b", 1<<20) + ";</a>", "invalid character entity"},
		"asian encoding": {`<?xml version="1.0" encoding="GBK"?><a/>`, "write the report in UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			err := xmlscan.Decode([]byte(tc.in), new(element))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got error %v, want one with %q", err, tc.want)
			} else if n := len(err.Error()); n > 500 {
				t.Errorf("the error has %d bytes", n)
			}
		})
	}
}

func TestRoot(t *testing.T) {
	for in, want := range map[string]string{
		"<?xml version='1.0'?>\n<!-- x --><report name='x'>": "report",
		"mode: set\n": "",
		"":            "",
	} {
		if got := xmlscan.Root([]byte(in)); got != want {
			t.Errorf("Root(%q) = %q, want %q", in, got, want)
		}
	}
}
