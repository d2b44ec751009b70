package githubtest

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed testdata/openapi.json.gz testdata/schema.graphql.gz testdata/payloads
var files embed.FS

// spec is GitHub's description of itself. It is read-only once loaded.
type spec struct {
	doc    *openapi3.T
	graph  *ast.Schema
	routes []*route
}

// loadOnce reads both descriptions once a process; together they take 0.2 s.
var loadOnce = sync.OnceValues(func() (*spec, error) {
	raw, err := unzip("testdata/openapi.json.gz")
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		return nil, err
	}
	raw, err = unzip("testdata/schema.graphql.gz")
	if err != nil {
		return nil, err
	}
	graph, err := gqlparser.LoadSchema(&ast.Source{Name: "github", Input: string(raw)})
	if err != nil {
		return nil, err
	}
	return &spec{doc: doc, graph: graph, routes: compile(doc)}, nil
})

func load(t testing.TB) *spec {
	t.Helper()
	s, err := loadOnce()
	if err != nil {
		t.Fatalf("load GitHub's descriptions: %v", err)
	}
	return s
}

func unzip(name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // embedded
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// route is one operation that the fake serves.
type route struct {
	method  string
	path    string // as the description has it
	pattern *regexp.Regexp
	op      *routers.Route
	serve   handler
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// compile joins the handlers with the description's operations, the longest path first.
func compile(doc *openapi3.T) []*route {
	var out []*route
	for name, serve := range handlers() {
		method, path, _ := strings.Cut(name, " ")
		item := doc.Paths.Find(path)
		out = append(out, &route{
			method: method, path: path, serve: serve, pattern: pattern(path),
			op: &routers.Route{
				Spec:      doc,
				Path:      path,
				PathItem:  item,
				Method:    method,
				Operation: item.GetOperation(method),
			},
		})
	}
	slices.SortFunc(out, func(a, b *route) int {
		if d := strings.Count(b.path, "/") - strings.Count(a.path, "/"); d != 0 {
			return d
		}
		return strings.Compare(a.path, b.path)
	})
	return out
}

// pattern matches a path template against an escaped path. A trailing
// placeholder that can hold a path or a branch takes slashes too.
func pattern(path string) *regexp.Regexp {
	return regexp.MustCompile("^" + placeholder.ReplaceAllStringFunc(path, func(m string) string {
		if strings.HasSuffix(path, m) && (m == "{path}" || m == "{ref}" || m == "{basehead}") {
			return "(.+)"
		}
		return "([^/]+)"
	}) + "$")
}

// checkRequest validates a request against its operation.
func (rt *route) checkRequest(
	r *http.Request,
	params map[string]string,
	body []byte,
) (*openapi3filter.RequestValidationInput, error) {
	r2 := r.Clone(context.Background())
	r2.Body = io.NopCloser(bytes.NewReader(body))
	in := &openapi3filter.RequestValidationInput{
		Request: r2, PathParams: params, Route: rt.op,
		Options: brief(
			&openapi3filter.Options{
				SkipSettingDefaults: true,
				AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
			},
		),
	}
	return in, openapi3filter.ValidateRequest(context.Background(), in)
}

// checkResponse validates an answer. Statuses that the description does not
// list for the operation pass only as errors (401, 429, 5xx).
func checkResponse(
	in *openapi3filter.RequestValidationInput,
	status int,
	header http.Header,
	body []byte,
) error {
	return openapi3filter.ValidateResponse(
		context.Background(),
		&openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: status, Header: header,
			Body:    io.NopCloser(bytes.NewReader(body)),
			Options: brief(&openapi3filter.Options{IncludeResponseStatus: status < 400}),
		},
	)
}

// brief keeps whole schemas out of the messages.
func brief(o *openapi3filter.Options) *openapi3filter.Options {
	o.WithCustomSchemaErrorFunc(func(err *openapi3.SchemaError) string {
		return "/" + strings.Join(err.JSONPointer(), "/") + ": " + err.Reason
	})
	return o
}
