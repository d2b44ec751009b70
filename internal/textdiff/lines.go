package textdiff

import "strings"

// split cuts a file into its lines, each with its line feed; only the last
// may lack one. A carriage return belongs to the line's text, so that a change
// of line endings is a change.
func split(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	lines := strings.SplitAfter(string(data), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// intern gives equal lines of both files the same small number.
func intern(files ...[]string) [][]int32 {
	ids := map[string]int32{}
	out := make([][]int32, len(files))
	for i, lines := range files {
		out[i] = make([]int32, len(lines))
		for j, line := range lines {
			id, ok := ids[line]
			if !ok {
				id = int32(len(ids)) //nolint:gosec // fewer lines than 2^31: a file in memory
				ids[line] = id
			}
			out[i][j] = id
		}
	}
	return out
}
