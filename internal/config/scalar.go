package config

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"

	"workflow-reviewer/internal/workflow"
)

// limits hold a field's value to its jsonschema tag.
type limits struct {
	enum     []string
	min, max float64
	bounded  bool
	glob     bool // texts are glob patterns
	pattern  bool // texts are patterns of a layout
}

// limitsOf reads a field's limits from its jsonschema tag, which the published schema is made of as
// well.
func limitsOf(f reflect.StructField) limits {
	lim := limits{min: math.Inf(-1), max: math.Inf(1)}
	for _, part := range strings.Split(f.Tag.Get("jsonschema"), ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "enum":
			lim.enum = append(lim.enum, value)
		case "minimum":
			lim.min, _ = strconv.ParseFloat(value, 64)
			lim.bounded = true
		case "maximum":
			lim.max, _ = strconv.ParseFloat(value, 64)
			lim.bounded = true
		}
	}
	return lim
}

// scalar fills a truth value, a number or a text.
func (d *decoder) scalar(n hujson.Value, v reflect.Value, path string, lim limits) {
	switch v.Kind() {
	case reflect.Bool:
		if b, ok := valueOf(n).(bool); ok {
			v.SetBool(b)
			return
		}
		d.wrongKind(n, path, "true or false")
	case reflect.Int, reflect.Float64:
		d.number(n, v, path, lim)
	default:
		d.text(n, v, path, lim)
	}
}

// number fills a number and holds it to its limits. A whole number may be written with a fraction
// of zero.
func (d *decoder) number(n hujson.Value, v reflect.Value, path string, lim limits) {
	want := "a number"
	if v.Kind() == reflect.Int {
		want = "a whole number"
	}
	if lim.bounded {
		want += fmt.Sprintf(" from %v to %v", lim.min, lim.max)
	}
	number, ok := valueOf(n).(json.Number)
	x, err := strconv.ParseFloat(number.String(), 64)
	if !ok || err != nil || x < lim.min || x > lim.max ||
		v.Kind() == reflect.Int && x != math.Trunc(x) {
		d.wrongKind(n, path, want)
		return
	}
	if v.Kind() == reflect.Int {
		v.SetInt(int64(x))
		return
	}
	v.SetFloat(x)
}

// text fills a text and holds it to its choices and its type's form.
func (d *decoder) text(n hujson.Value, v reflect.Value, path string, lim limits) {
	s, ok := valueOf(n).(string)
	switch {
	case !ok:
		d.wrongKind(n, path, "a text")
		return
	case len(lim.enum) == 1 && s != lim.enum[0]:
		d.fail(
			n.StartOffset, path,
			"%s is not %q, the only choice in this version", shown(s), lim.enum[0],
		)
		return
	case lim.enum != nil && !slices.Contains(lim.enum, s):
		d.fail(n.StartOffset, path, "%s is not one of %s", shown(s), strings.Join(lim.enum, ", "))
		return
	}
	clean, err := checkText(s, v.Type(), lim)
	if err != nil {
		d.fail(n.StartOffset, path, "%s %v", shown(s), err)
		return
	}
	v.SetString(clean)
}

// checkText applies the rules of a text's type and returns its clean form.
func checkText(s string, kind reflect.Type, lim limits) (string, error) {
	switch {
	case lim.glob:
		return parseGlob(s)
	case lim.pattern:
		p, err := parseRepoPath(strings.TrimSuffix(s, "/"))
		if strings.HasSuffix(s, "/") {
			p += "/" // a state's folder
		}
		return p, err
	}
	if parse := textParsers()[kind]; parse != nil {
		return parse(s)
	}
	return s, nil
}

// textParsers check the texts of a type, and clean them.
func textParsers() map[reflect.Type]func(string) (string, error) {
	return map[reflect.Type]func(string) (string, error){
		reflect.TypeFor[RepoPath]():      parseRepoPath,
		reflect.TypeFor[Word]():          parseWord,
		reflect.TypeFor[CommandWord]():   parseCommandWord,
		reflect.TypeFor[SubjectPrefix](): parseSubjectPrefix,
		reflect.TypeFor[workflow.Reader](): func(s string) (string, error) {
			r, err := oneOf(s, workflow.Readers()...)
			return string(r), err
		},
	}
}
