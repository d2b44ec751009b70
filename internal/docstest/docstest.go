// Package docstest holds no code of the program: its tests execute the examples
// of the documentation and keep its tables equal to what the code says.
package docstest
