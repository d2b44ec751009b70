package syntax

import (
	"syscall"
	"time"
)

// threadTime is the processor time that the calling thread has used. Parser
// and progress callback run on one thread, so that the difference of two calls
// is the parser's own work, however busy the machine is.
func threadTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var used syscall.Rusage
	if err := syscall.Getrusage(thread, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
