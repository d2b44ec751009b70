// Package imagetest holds the tests of what is around the program: the
// Dockerfile, the scripts that it runs, action.yml and the workflows that
// release them.
package imagetest
