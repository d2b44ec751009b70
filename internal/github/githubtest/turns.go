package githubtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Turns let the requests of several runs through one at a time, in an order that is chosen: a
// request is served once each run either waits with one or has left. A run is known by its
// User-Agent and sends one request at a time.
type Turns struct {
	mu      sync.Mutex
	runs    []string
	busy    int // runs between two requests
	waiting map[string]turn
	read    string // the run whose request was let through last, "" if that was a write
	choose  []int  // for the first decisions; 0 for all others
	chosen  []int  // of those who waited, in the order of their names
	widths  []int  // how many waited
	strayed bool   // fewer waited than when the order was chosen
}

// turn is a request that waits.
type turn struct {
	begin chan struct{}
	reads bool
}

// EveryOrder calls run with turns for the runs until every order of their requests was played, and
// says how many there were. Orders that differ in that one read comes before another one, not after
// it, are one. Between two calls the fake's check runs are removed. A run that has
// several requests to send may send them in another order when it is played again; where a chosen
// order cannot be followed for that it is tried anew.
func (s *Server) EveryOrder(runs []string, run func(*Turns)) int {
	var choose []int
	n := 1
	for {
		t := &Turns{
			runs:    runs,
			busy:    len(runs),
			waiting: map[string]turn{},
			choose:  choose,
		}
		s.setTurns(t)
		run(t)
		s.setTurns(nil)
		if t.strayed {
			continue
		}
		i := len(t.chosen) - 1
		for i >= 0 && t.chosen[i]+1 == t.widths[i] {
			i--
		}
		if i < 0 {
			return n
		}
		choose = append(slices.Clone(t.chosen[:i]), t.chosen[i]+1)
		n++
	}
}

func (s *Server) setTurns(t *Turns) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turns, s.checks, s.requests = t, nil, nil
}

// takeTurn waits for the turn of a run that takes turns with a request for check runs.
func (s *Server) takeTurn(r *http.Request, path string) {
	s.mu.Lock()
	t := s.turns
	s.mu.Unlock()
	if t != nil && strings.Contains(path, "/check-runs") && slices.Contains(t.runs, r.UserAgent()) {
		<-t.wait(r.UserAgent(), r.Method == http.MethodGet)
	}
}

func (t *Turns) wait(run string, reads bool) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	begin := make(chan struct{})
	t.waiting[run] = turn{begin, reads}
	t.busy--
	t.next()
	return begin
}

// Leave says that a run has ended.
func (t *Turns) Leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.busy--
	t.next()
}

// next lets one through once all others wait or have left.
func (t *Turns) next() {
	if t.busy > 0 || len(t.waiting) == 0 {
		return
	}
	names, choice := t.candidates(), 0
	if n := len(t.chosen); n < len(t.choose) && t.choose[n] < len(names) {
		choice = t.choose[n]
	} else if n < len(t.choose) {
		t.strayed = true
	}
	t.chosen, t.widths = append(t.chosen, choice), append(t.widths, len(names))
	run := names[choice]
	if t.read = ""; t.waiting[run].reads {
		t.read = run
	}
	close(t.waiting[run].begin)
	delete(t.waiting, run)
	t.busy++
}

// candidates are those who wait, by name. After the read of a run the reads of those before it are
// not among them unless nobody else waits: they waited then too, and are first in another order.
func (t *Turns) candidates() []string {
	all := slices.Sorted(maps.Keys(t.waiting))
	fresh := slices.DeleteFunc(slices.Clone(all), func(run string) bool {
		return run < t.read && t.waiting[run].reads
	})
	if len(fresh) == 0 {
		return all
	}
	return fresh
}

// Order is the order that was played, for messages.
func (t *Turns) Order() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.chosen)
}
