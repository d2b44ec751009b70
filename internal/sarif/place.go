package sarif

import (
	"net/url"
	"path"
	"strings"
)

// maxBases limits the bases of an address that are put before each other.
const maxBases = 8

// places resolves addresses of files.
type places struct {
	bases map[string]artifact
	roots []string
}

// path is the path below the root that an address names, false if it names none there.
func (p places) path(a artifact) (string, bool) {
	whole, ok := p.resolve(a, maxBases)
	if !ok || whole == "" {
		return "", false
	}
	if !path.IsAbs(whole) {
		return local(whole)
	}
	for _, root := range p.roots {
		below, ok := strings.CutPrefix(whole, strings.TrimSuffix(root, "/")+"/")
		if ok && path.IsAbs(root) {
			return local(below)
		}
	}
	return "", false
}

// resolve puts an address behind its base: an absolute path, or one from the root where the
// outermost base names no place, as %SRCROOT% of a tool that leaves it to the reader.
func (p places) resolve(a artifact, most int) (string, bool) {
	u, err := url.Parse(a.URI)
	if err != nil || most == 0 || u.Scheme != "" && u.Scheme != "file" ||
		u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	named := u.Path
	if u.Opaque != "" {
		return "", false
	}
	base, known := p.bases[a.Base]
	if path.IsAbs(named) || !known {
		return named, true
	}
	before, ok := p.resolve(base, most-1)
	if before != "" {
		named = strings.TrimSuffix(before, "/") + "/" + named
	}
	return named, ok
}

// local is a path below the root in its clean form.
func local(name string) (string, bool) {
	name = path.Clean(name)
	inside := name != "." && name != ".." && !path.IsAbs(name) && !strings.HasPrefix(name, "../")
	return name, inside && !strings.ContainsFunc(name,
		func(r rune) bool { return printable(r) != r || r == '\\' })
}
