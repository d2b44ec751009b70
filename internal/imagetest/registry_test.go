package imagetest

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// packages is a registry that behaves as GitHub's: a new package is private;
// writing needs the robot's token; reading a public one needs a token that
// everybody gets.
type packages struct {
	host   string
	public atomic.Bool
	broken atomic.Int32 // status of every answer, 0 = works
	writes atomic.Int32
	swap   atomic.Bool // other bytes than asked for
}

func newPackages(t *testing.T) *packages {
	p := &packages{}
	store := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch broken := int(p.broken.Load()); {
		case broken != 0:
			w.WriteHeader(broken)
		case r.URL.Path == "/token" && (!p.public.Load() || !strings.HasSuffix(r.URL.Query().Get("scope"), ":pull")):
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}`)
		case r.URL.Path == "/token":
			fmt.Fprint(w, `{"token":"everybody"}`)
		case user != "robot" && (user != "everybody" || r.Method != http.MethodGet || !p.public.Load()):
			name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2/"), "/manifests/")
			w.Header().Set("WWW-Authenticate",
				fmt.Sprintf(`Bearer realm="http://%s/token",service="packages",scope="repository:%s:pull"`, p.host, name))
			w.WriteHeader(http.StatusUnauthorized)
		case p.swap.Load():
			fmt.Fprint(w, `{}`)
		case r.Method != http.MethodGet && strings.ToLower(r.URL.Path) != r.URL.Path:
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"errors":[{"code":"NAME_INVALID","message":"repository name must be lowercase"}]}`)
		default:
			if r.Method != http.MethodGet {
				p.writes.Add(1)
			}
			store.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	p.host = strings.TrimPrefix(server.URL, "http://")
	return p
}
