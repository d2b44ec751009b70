//go:build !linux

package syntax

import "time"

// threadTime is the time of day, where a thread's own time is not to be had.
func threadTime() time.Duration { return time.Duration(time.Now().UnixNano()) }
