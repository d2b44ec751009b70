package syntax

import (
	"context"
	"errors"
	"testing"
)

func TestWithinGivesUpOnWorkThatNeverEnds(t *testing.T) {
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	ctx, cancel := context.WithCancel(context.Background())
	_, err := within(ctx, func() (int, error) {
		cancel()
		<-never
		return 1, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("within = %v, want the context's error", err)
	}
}

func TestNesting(t *testing.T) {
	for src, want := range map[string]int{
		"": 0, "f(a[b{c}])": 3, "a < b; c < d; e < f": 1, "Map<K, List<V>> x": 2, "))(": 1,
	} {
		if got := nesting(Java, []byte(src)); got != want {
			t.Errorf("nesting(%q) = %d, want %d", src, got, want)
		}
	}
	if got := nesting(Go, []byte("a < b < c")); got != 0 {
		t.Errorf("Go has no angle brackets, got %d", got)
	}
}
