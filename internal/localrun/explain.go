package localrun

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	builtin "workflow-reviewer/internal/checks"
	"workflow-reviewer/internal/checks/check"
	"workflow-reviewer/internal/cli"
	"workflow-reviewer/internal/detect"
	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/measured"
	"workflow-reviewer/internal/pipeline"
	"workflow-reviewer/internal/process"
	"workflow-reviewer/internal/report"
	"workflow-reviewer/internal/workflow"
)

// reportName is the report of a run for programs.
const reportName = "report.json"

// Explain says what a check looks for, or prints one finding of a report. It asks nobody. It ends
// with 2 where the argument names neither a check nor a finding.
func Explain(env process.Env, args []string) int {
	var opt struct {
		Report string `flag:"report" arg:"DIR" usage:"DIR of the report that has the finding (default: that of the last run here)"`
	}
	fs := cli.Flags("explain", &opt)
	var what string
	err := cli.Parse(fs, args, env.Stderr)
	if err == nil {
		what = fs.Arg(0)
		if fs.NArg() == 0 {
			err = cli.Misused(
				fs, env.Stderr, errors.New("name a check, such as code/secret, or a finding's id"),
			)
		} else {
			err = cli.ParseFlags(fs, fs.Args()[1:], env.Stderr)
		}
	}
	if err != nil {
		return cli.FlagsExit(err)
	}
	text, err := explanation(env, what, opt.Report)
	fmt.Fprint(env.Stdout, text)
	return cli.Exit(env.Stderr, err)
}

// explanation finds what an argument names: a check, or a finding of a report. Without dir it is
// the last report of this machine.
func explanation(env process.Env, what, dir string) (string, error) {
	what = strings.TrimSpace(what)
	if e, ok := builtin.Find(what); ok {
		return explainCheck(e), nil
	}
	if !workflow.IsFindingID(what) {
		return "", fmt.Errorf(
			"%.100q is no check and no finding's id; the nearest checks are %s",
			markdown.Clean(what), strings.Join(builtin.Nearest(what), ", "),
		)
	}
	if dir == "" {
		dir = lastReport(env)
	}
	if dir == "" {
		return "", fmt.Errorf(
			"there is no report to look for %s in; name the folder of one with --report", what,
		)
	}
	return explainFinding(dir, what)
}

// explainCheck tells all of a check's entry, with how often it was right.
func explainCheck(e check.Entry) string {
	right := "nobody has judged findings of it yet"
	if j := builtin.Precision(e.ID); j.Total() > 0 {
		right = fmt.Sprintf(
			"%d of %d findings in real changes were useful, %d were useless, %d wrong; "+
				"judged was the check as it was "+
				"before it was simplified",
			j.Useful,
			j.Total(),
			j.Useless,
			j.Wrong,
		)
	}
	return fmt.Sprintf(
		"%s  %s\n\nLooks at: %s\nSeverity: %s\n\n%s\n\nWhat to do: %s\nSet it aside: %s.\nHow "+
			"often it is right: %s.\n",
		e.ID, e.Title, e.Of(), e.Weight(), e.Why, e.Fix, e.Aside(), right,
	)
}

// lastReport is the folder of the newest report in the temp folder, "" without one. Reports of
// other folders than the temp folder of this process are not found.
func lastReport(env process.Env) (dir string) {
	parent, _ := process.ReportParent(env)
	files, _ := filepath.Glob(
		filepath.Join(parent, "workflow-reviewer-*", reportName),
	) // the pattern is ours
	var newest time.Time
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(newest) {
			dir, newest = filepath.Dir(file), info.ModTime()
		}
	}
	return dir
}

// explainFinding tells one finding of a saved report, whole. An unknown id is an error that lists
// others. The folder may be anybody's: the report must be a regular file of at most
// measured.MaxFile bytes, and its texts come out harmless.
func explainFinding(dir, id string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("open the report's folder: %w", err)
	}
	defer root.Close() //nolint:errcheck // read only
	data, err := measured.ReadPlain(measured.MaxFile)(root, reportName)
	if err != nil {
		return "", fmt.Errorf("read %s of %s: %w", reportName, dir, err)
	}
	saved, err := report.ParseSaved(data)
	if err != nil {
		return "", fmt.Errorf("read %s of %s: %w", reportName, dir, err)
	}
	text, ids := saved.Finding(id)
	if text == "" {
		return "", fmt.Errorf("the report in %s has no finding %s; %s", dir, id, otherFindings(ids))
	}
	return text, nil
}

// maxListed is how many findings are listed where the one that is asked for is not there.
const maxListed = 10

// otherFindings lists ids of a report, at most maxListed.
func otherFindings(ids []string) string {
	if len(ids) == 0 {
		return "it has none at all"
	}
	text := "it has " + markdown.Clean(strings.Join(ids[:min(len(ids), maxListed)], ", "))
	if more := len(ids) - maxListed; more > 0 {
		text += " and " + workflow.Count(more, "more finding")
	}
	return text
}

// explainPaths prints what paths are taken for, and why.
func explainPaths(ctx context.Context, j *local) error {
	w := j.Env.Stdout
	set, err := pipeline.Compare(ctx, j.req)
	if err != nil {
		return err
	}
	found, err := detect.Explain(ctx, set, j.req.DetectOptions(), j.opt.explain)
	if err != nil {
		return err
	}
	if j.opt.JSON {
		return json.NewEncoder(w).Encode(found)
	}
	for _, e := range found {
		fmt.Fprintln(w, e.Path)
		for _, line := range []struct{ name, value string }{
			{"layout", e.Layout},
			{"type", string(e.Type)},
			{"feature", e.Feature},
			{"state", string(e.State)},
			{"why", strings.Join(e.Why, "; ")},
		} {
			value := cmp.Or(line.value, "none")
			fmt.Fprintf(w, "  %-8s %s\n", line.name, value)
		}
	}
	return nil
}
