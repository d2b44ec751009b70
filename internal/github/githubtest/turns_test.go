package githubtest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workflow-reviewer/internal/github/githubtest"
)

// TestEveryOrder: of two runs that read and then write, each order is played in which a read or a
// write comes before or after a write, and of two reads beside each other one.
func TestEveryOrder(t *testing.T) {
	s, _ := start(t, githubtest.Options{})
	path := "/repos/octo-org/hello/"
	body := fmt.Sprintf(`{"name":"x","head_sha":%q}`, s.Head(7))
	send := func(agent, method, path string) {
		req, err := http.NewRequest(method, s.APIURL()+path, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		req.Header.Set("User-Agent", agent)
		req.Header.Set("Authorization", "Bearer test-token")
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close() //nolint:errcheck // it was only read
		if answer, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode >= 300 {
			t.Errorf("%s %s: %s %s", method, path, resp.Status, answer)
		}
	}
	var orders []string
	n := s.EveryOrder([]string{"a", "b"}, func(turns *githubtest.Turns) {
		var wg sync.WaitGroup
		for _, agent := range []string{"a", "b"} {
			wg.Go(func() {
				defer turns.Leave()
				send(agent, http.MethodGet, path+"commits/"+s.Head(7)+"/check-runs")
				send(agent, http.MethodPost, path+"check-runs")
			})
		}
		wg.Wait()
		var order []string
		for _, r := range s.Requests() {
			order = append(order, r.Header.Get("User-Agent")+strings.ToLower(r.Method[:1]))
		}
		orders = append(orders, strings.Join(order, " "))
	})
	want := []string{"ag ap bg bp", "ag bg ap bp", "ag bg bp ap", "bg bp ag ap"}
	if d := cmp.Diff(want, orders); d != "" || n != len(want) {
		t.Errorf("%d orders (-want +got):\n%s", n, d)
	}
}
