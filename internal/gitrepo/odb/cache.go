package odb

import "sync"

// Cache keeps values up to a total weight and forgets old ones in two generations: when the young
// ones weigh half of the limit, they become the old, which go. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu         sync.Mutex
	limit      int64
	weight     int64 // of young
	young, old map[K]V
}

// NewCache returns a cache that holds between limit/2 and limit of weight.
func NewCache[K comparable, V any](limit int64) *Cache[K, V] {
	return &Cache[K, V]{limit: limit / 2, young: map[K]V{}}
}

// Get returns the value kept for a key.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok := c.young[key]; ok {
		return v, true
	}
	v, ok := c.old[key]
	return v, ok
}

// Put keeps a value of some weight; one heavier than half the limit is not kept.
func (c *Cache[K, V]) Put(key K, v V, weight int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if weight > c.limit {
		return
	}
	if c.weight+weight > c.limit {
		c.old, c.young, c.weight = c.young, map[K]V{}, 0
	}
	c.young[key] = v
	c.weight += weight
}
