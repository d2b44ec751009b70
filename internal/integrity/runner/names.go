package runner

// IsConfig reports whether a file's name is that of a runner's configuration,
// or of a build file or script that may run tests. CI workflows are not: see
// IsWorkflow.
func IsConfig(path string) bool { return false }

// IsWorkflow reports whether a file is a CI pipeline by its path:
// .github/workflows/*, composite actions, .gitlab-ci.yml and the like.
func IsWorkflow(path string) bool { return false }

// Autoloaded reports whether a runner may load a file of that name without
// any test asking for it: conftest.py, setup files, spec_helper, __mocks__, Go
// test files (for TestMain).
func Autoloaded(path string) bool { return false }

// RunsTests reports whether a workflow, build file or script runs tests.
func RunsTests(path string, content []byte) bool { return false }
