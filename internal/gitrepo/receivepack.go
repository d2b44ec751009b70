package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
)

// receiver takes one push: an HTTP session of go-git's, or git receive-pack.
type receiver interface {
	AdvertisedReferencesContext(ctx context.Context) (*packp.AdvRefs, error)
	ReceivePack(ctx context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error)
	Close() error
}

// receivePack pushes into a repository on this machine through git, which runs its hooks. They see
// git's own settings of the environment alone.
type receivePack struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  io.Reader
	said bytes.Buffer
}

// startReceivePack starts git receive-pack on a repository. Whoever calls closes it.
func startReceivePack(ctx context.Context, git *Clone, root string) (*receivePack, error) {
	s := &receivePack{cmd: exec.CommandContext(ctx, git.Git, "receive-pack", root)} //nolint:gosec // of the user's own PATH
	s.cmd.Env = append([]string{"LC_ALL=C"}, git.Env...)
	s.cmd.Stderr = &s.said
	s.cmd.WaitDelay = time.Second // a hook may outlive git
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return s, s.cmd.Start()
}

// AdvertisedReferencesContext returns the refs of the repository.
func (s *receivePack) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	adv := packp.NewAdvRefs()
	if err := adv.Decode(s.out); err != nil && !errors.Is(err, packp.ErrEmptyAdvRefs) {
		return nil, errors.Join(err, s.Close(), errors.New(s.said.String()))
	}
	return adv, nil
}

// ReceivePack sends an update and returns the report on it, also where that is an error.
func (s *receivePack) ReceivePack(_ context.Context, req *packp.ReferenceUpdateRequest) (*packp.ReportStatus, error) {
	if err := req.Encode(s.in); err != nil {
		return nil, err
	}
	if err := s.in.Close(); err != nil {
		return nil, err
	}
	answer := s.out
	if req.Capabilities.Supports(capability.Sideband64k) {
		d := sideband.NewDemuxer(sideband.Sideband64k, s.out)
		d.Progress = req.Progress
		answer = d
	}
	report := packp.NewReportStatus()
	if err := report.Decode(answer); err != nil {
		return nil, err
	}
	return report, report.Error()
}

// Close ends git, which has nothing more to do.
func (s *receivePack) Close() error {
	_ = s.in.Close()                  // it may be closed
	_, _ = io.Copy(io.Discard, s.out) // what hooks say at the end
	return s.cmd.Wait()
}
