// Command action is workflow-reviewer: inside GitHub Actions it reviews a pull
// request, on a developer's machine it does the same to a local branch.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"workflow-reviewer/internal/action"
	"workflow-reviewer/internal/process"
)

// Set by the release build: -ldflags "-X main.version=v1.2.3 -X main.commit=… -X
// main.repository=owner/name". Without commit the one counts that the go command stamped, if it
// did.
var (
	version    = "dev"
	commit     = ""
	repository = "OWNER/workflow-reviewer" // that the action is published in
)

// gcPercent has garbage collected at half of what is alive: a report of 1,000
// reviews takes 50 MB less by it, and a small run takes no longer.
const gcPercent = 50

// ballast counts as alive for the collector, in bytes, and costs no memory, as it is never touched.
// Without it a small run collects after each 2 MB, some dozen times, which takes a quarter of its
// CPU time.
const ballast = 16 << 20

// firstPercent has the first collection wait for 20 MB: most runs end before.
const firstPercent = 500

func main() {
	debug.SetGCPercent(firstPercent)
	var held []byte
	collected := new(*byte) // by the first collection
	runtime.AddCleanup(collected, func(int) {
		held = make([]byte, ballast)
		debug.SetGCPercent(gcPercent)
	}, 0)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := action.Main(ctx, os.Args[1:], process.Read(version, commit, repository))
	runtime.KeepAlive(&held)
	stop()
	os.Exit(code)
}
