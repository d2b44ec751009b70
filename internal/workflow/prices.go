package workflow

// Prices are what a million tokens cost, in US dollars. The zero value means
// that they are not known.
type Prices struct {
	Input  float64 // that are not cached
	Cached float64
	Output float64
}

// Of is what the tokens cost; known is false without prices or tokens.
func (p Prices) Of(t Tokens) (usd float64, known bool) {
	usd = (float64(t.Input-t.Cached)*p.Input + float64(t.Cached)*p.Cached + float64(t.Output)*p.Output) / 1e6
	return usd, p != Prices{} && t != Tokens{}
}
