package runner

import (
	"context"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Loads lists what a runner's configuration loads around the tests, as the
// file writes it: paths such as "<rootDir>/jest.setup.ts" and names of modules.
// Of a file that cannot be read it is empty.
func Loads(ctx context.Context, p string, src []byte) []string {
	f := formatOf(p)
	switch f {
	case iniFile, tomlFile, packageJSON, jsonFile, scriptFile, yamlFile, argumentsFile:
	default:
		return nil
	}
	if tooLarge(src) {
		return nil
	}
	read, err := readOptions(ctx, f, p, src)
	if err != nil {
		return nil
	}
	rules := rulesOf(f, p)
	if f == packageJSON {
		rules = packageRules()
	}
	var out []string
	for i := range read {
		out = append(out, loadedBy(rules, &read[i])...)
	}
	return out
}

func loadedBy(rules []rule, o *option) []string {
	for _, r := range rules {
		if ok, _ := doublestar.Match(r.key, o.key); !ok {
			continue
		}
		switch r.effect {
		case loads:
			var out []string
			for _, v := range o.values {
				if !v.code && v.text != "" {
					out = append(out, v.text)
				}
			}
			return out
		case arguments:
			var out []string
			for _, a := range r.tool.parse(argsOf(o)) {
				if r.tool.effectOf(a.name) == loads && a.name != "" && a.value != "" {
					out = append(out, a.value)
				}
			}
			return out
		}
		return nil
	}
	return nil
}

// Aliases are the path aliases of a tsconfig.json: what a pattern such as
// "@/*" stands for, relative to the file's folder.
func Aliases(ctx context.Context, src []byte) map[string][]string {
	if tooLarge(src) {
		return nil
	}
	read, err := parseJSON(ctx, src)
	if err != nil {
		return nil
	}
	base := strings.TrimSuffix(read.find("compileroptions/baseurl").last().text, "/")
	out := map[string][]string{}
	for _, o := range read {
		if !strings.HasPrefix(o.key, "compileroptions/paths/") {
			continue
		}
		alias := strings.TrimPrefix(o.name, "compilerOptions.paths.")
		for _, v := range o.values {
			to := strings.TrimPrefix(v.text, "./")
			if base != "" && base != "." && base != "./" {
				to = strings.TrimPrefix(base, "./") + "/" + to
			}
			out[alias] = append(out[alias], to)
		}
	}
	return out
}
