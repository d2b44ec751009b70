package doctor

import (
	"context"
	"io"

	"workflow-reviewer/internal/cli"
)

// Env is what the command takes from outside.
type Env struct {
	Dir            string // working folder
	Stdout, Stderr io.Writer
	Open           func(ctx context.Context, dir string) (p Patient, done func(), err error)
}

// Run is the command doctor. It returns the exit status: 0 if nothing was named, else 1; 2 for
// wrong arguments.
func Run(ctx context.Context, env Env, args []string) int {
	opt := struct {
		Repo string `flag:"repo" arg:"DIR" usage:"DIR of the repository"`
	}{env.Dir}
	if err := cli.ParseFlags(cli.Flags("doctor", &opt), args, env.Stderr); err != nil {
		return cli.FlagsExit(err)
	}
	var findings []Finding
	patient, done, err := env.Open(ctx, opt.Repo)
	if err != nil {
		findings = []Finding{found("git")("", err)}
	} else {
		defer done()
		findings = Examine(ctx, patient)
	}
	if Print(env.Stdout, findings) > 0 {
		return 1
	}
	return 0
}
