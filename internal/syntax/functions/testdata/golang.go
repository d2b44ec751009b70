package a

type I interface {
	F(x int) error
	~int
}

func (s *S) F() (int, error) {
	// c
	panic("x")
}
func g() error       { return nil }
func h() (*T, error) { return &T{}, fmt.Errorf("not implemented: %s", x) }
func ext()

var f = func() { _ = x; return }

func main()             { os.Exit(run()) }
func k() []string       { return []string{} }
func l() map[string]int { return map[string]int{} }
func m() time.Time      { return time.Time{} }
func n()                {}
func o() *T             { return new(T) }
func p()                { http.Error(w, "not implemented", 501); return }
func q() int            { return s.x }
func (*Lit) isExpr()       {}
func (l *Lit) Close()      {}
func (l *Lit) reset(n int) {}

var hooks = Hooks{OnDone: func() {}, OnError: func() error { panic("not implemented") }}
