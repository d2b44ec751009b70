// Package cli is what the commands share: flags, exit statuses, and errors on the terminal.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Exit statuses besides 0, documented in the README.
const (
	Fails  = 1 // the gate fails
	NotRun = 2 // the review did not run to its end
)

// ParseFlags parses a command's flags; what is wrong goes to w with the usage.
func ParseFlags(fs *flag.FlagSet, args []string, w io.Writer) error {
	fs.SetOutput(w)
	if err := fs.Parse(args); err != nil {
		return err
	}
	if fs.NArg() > 0 {
		return Misused(fs, w, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	return nil
}

// ParseFlagsAndPaths is ParseFlags for a command that takes paths after the flag
// that wants them, and then at least one.
func ParseFlagsAndPaths(
	fs *flag.FlagSet, args []string, wanted *bool, paths *[]string, w io.Writer,
) error {
	fs.SetOutput(w)
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *paths = fs.Args(); *wanted != (fs.NArg() > 0) {
		if *wanted {
			return Misused(fs, w, errors.New("no path to explain"))
		}
		return Misused(fs, w, fmt.Errorf("unexpected argument %q", fs.Arg(0)))
	}
	return nil
}

// Misused says what is wrong with a command's arguments, with its usage.
func Misused(fs *flag.FlagSet, w io.Writer, err error) error {
	fmt.Fprintf(w, "workflow-reviewer %s: %v\n", fs.Name(), err)
	fs.Usage()
	return err
}

// FlagsExit is the exit status for what ParseFlags returned.
func FlagsExit(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return NotRun
}

// Complain prints an error of several lines, one "workflow-reviewer: …" each.
func Complain(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(w, "workflow-reviewer: %s\n", line)
	}
}
