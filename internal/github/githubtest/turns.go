package githubtest

import (
	"maps"
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
	waiting map[string]chan struct{}
	choose  []int // for the first decisions; 0 for all others
	chosen  []int // of those who waited, in the order of their names
	widths  []int // how many waited
	strayed bool  // fewer waited than when the order was chosen
}

// EveryOrder calls run with turns for the runs until every order of their requests was played, and
// says how many there were. Between two calls the fake's check runs are removed. A run that has
// several requests to send may send them in another order when it is played again; where a chosen
// order cannot be followed for that it is tried anew.
func (s *Server) EveryOrder(runs []string, run func(*Turns)) int {
	var choose []int
	n := 1
	for {
		t := &Turns{
			runs:    runs,
			busy:    len(runs),
			waiting: map[string]chan struct{}{},
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
func (s *Server) takeTurn(agent, path string) {
	s.mu.Lock()
	t := s.turns
	s.mu.Unlock()
	if t != nil && strings.Contains(path, "/check-runs") && slices.Contains(t.runs, agent) {
		<-t.wait(agent)
	}
}

func (t *Turns) wait(run string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	turn := make(chan struct{})
	t.waiting[run] = turn
	t.busy--
	t.next()
	return turn
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
	names, choice := slices.Sorted(maps.Keys(t.waiting)), 0
	if n := len(t.chosen); n < len(t.choose) && t.choose[n] < len(names) {
		choice = t.choose[n]
	} else if n < len(t.choose) {
		t.strayed = true
	}
	t.chosen, t.widths = append(t.chosen, choice), append(t.widths, len(names))
	turn := t.waiting[names[choice]]
	delete(t.waiting, names[choice])
	t.busy++
	close(turn)
}

// Order is the order that was played, for messages.
func (t *Turns) Order() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.chosen)
}
