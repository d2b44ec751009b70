// Package cli is what the commands share: flags, exit statuses, and errors on the terminal.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"workflow-reviewer/internal/nearest"
)

// Exit statuses besides 0, documented in the README.
const (
	Fails  = 1 // the gate fails
	NotRun = 2 // the review did not run to its end
)

// Flags is the set of flags that the fields of an options struct declare, embedded structs
// included, with the values that they have as defaults. Tags name each: flag its name, usage what
// it does, arg the word in that which stands for its value, of the commands that have it (all,
// without). A list takes its flag several times.
func Flags(command string, options any) *flag.FlagSet {
	fs := flag.NewFlagSet(command, flag.ContinueOnError)
	v := reflect.ValueOf(options).Elem()
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, of := f.Tag.Get("flag"), f.Tag.Get("of")
		if name == "" || of != "" && !slices.Contains(strings.Fields(of), command) {
			continue
		}
		usage := f.Tag.Get("usage")
		if arg := f.Tag.Get("arg"); arg != "" {
			usage = strings.Replace(usage, arg, "`"+arg+"`", 1)
		}
		switch field := v.FieldByIndex(f.Index).Addr().Interface().(type) {
		case *string:
			fs.StringVar(field, name, *field, usage)
		case *bool:
			fs.BoolVar(field, name, *field, usage)
		case *[]string:
			fs.Func(name, usage+" (may be repeated)", func(s string) error {
				*field = append(*field, s)
				return nil
			})
		}
	}
	return fs
}

// ParseFlags parses a command's flags, and takes no arguments besides.
func ParseFlags(fs *flag.FlagSet, args []string, w io.Writer) error {
	if err := Parse(fs, args, w); err != nil {
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
	if err := Parse(fs, args, w); err != nil {
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

// Parse parses a command's flags. What is wrong is one line on w; -h prints all flags there.
func Parse(fs *flag.FlagSet, args []string, w io.Writer) error {
	fs.SetOutput(io.Discard)
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fs.SetOutput(w)
		fs.Usage()
		return err
	case err != nil:
		return Misused(fs, w, inWords(fs, err))
	}
	return nil
}

// inWords says of an unknown flag which one was meant.
func inWords(fs *flag.FlagSet, err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var known []string
	fs.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	return fmt.Errorf("unknown flag --%s%s", name, DidYouMean(nearest.Word(name, known), "--"))
}

// DidYouMean asks for what was surely meant, "" if nothing was.
func DidYouMean(word, prefix string) string {
	if word == "" {
		return ""
	}
	return "; did you mean " + prefix + word + "?"
}

// Misused says in one line what is wrong with a command's arguments.
func Misused(fs *flag.FlagSet, w io.Writer, err error) error {
	fmt.Fprintf(
		w,
		"workflow-reviewer %s: %v (\"workflow-reviewer %s -h\" lists its flags)\n",
		fs.Name(),
		err,
		fs.Name(),
	)
	return err
}

// FlagsExit is the exit status for what ParseFlags returned.
func FlagsExit(err error) int {
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	return NotRun
}

// Exit prints the error that a command ended with, if there is one, and returns its exit status.
func Exit(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	Complain(w, err)
	return NotRun
}

// Complain prints an error of several lines, one "workflow-reviewer: …" each.
func Complain(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		fmt.Fprintf(w, "workflow-reviewer: %s\n", line)
	}
}
