package gitrepo

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/storage/filesystem"
)

// session is one exchange with a server that gives objects.
type session struct {
	repo  *Repo
	up    transport.UploadPackSession
	adv   *packp.AdvRefs
	store *filesystem.Storage
}

// packRequest lists the objects that a fetch wants and has. The depth counts commits from each
// want; where the server cannot make history shallow it is ignored, and so are haves.
type packRequest struct {
	wants, haves, shallows []plumbing.Hash
	depth                  int
	commitsOnly            bool // leave out files where the server can
}

// client is go-git's http transport within our limits.
func (r *Repo) client() transport.Transport {
	limited := &guard{next: r.opt.Transport, idle: idleLimit, limit: bodyLimit}
	return githttp.NewClient(&http.Client{Transport: limited})
}

// connect reads the refs of the origin, which is at a URL.
func (r *Repo) connect(ctx context.Context) (*session, error) {
	endpoint, err := transport.NewEndpoint(r.remote.url)
	if err != nil {
		return nil, permanent(errors.New("the URL cannot be parsed"))
	}
	up, err := r.client().NewUploadPackSession(endpoint, r.remote.auth)
	if err != nil {
		return nil, err
	}
	adv, err := up.AdvertisedReferencesContext(ctx)
	if err != nil {
		return nil, tidy(err)
	}
	store := filesystem.NewStorage(osfs.New(r.opt.Dir), cache.NewObjectLRU(16*cache.MiByte))
	return &session{repo: r, up: up, adv: adv, store: store}, nil
}

// fetch writes one pack into our store.
func (s *session) fetch(ctx context.Context, p packRequest) error {
	req := packp.NewUploadPackRequestFromCapabilities(s.adv.Capabilities)
	// Encoding a request sorts its lists in place.
	req.Wants, req.Haves = slices.Clone(p.wants), slices.Clone(p.haves)
	req.Shallows = slices.Clone(p.shallows)
	if err := s.allow(req, p); err != nil {
		return err
	}
	resp, err := s.up.UploadPack(ctx, req)
	if err != nil {
		return tidy(err)
	}
	defer resp.Close() //nolint:errcheck // a broken end shows in the pack
	pack := demultiplex(req, resp)
	if len(req.Haves) > 0 {
		err = s.repo.readThin(pack)
	} else {
		err = packfile.WritePackfileToObjectStorage(s.store, pack)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("read pack: %w", tidy(err))
	}
	return nil
}

// allow adds to a request what the server is able to: no progress, shallow history, deltas on what
// the workspace has, and commits without their files.
func (s *session) allow(req *packp.UploadPackRequest, p packRequest) error {
	want := []capability.Capability{}
	has := s.adv.Capabilities.Supports
	if has(capability.NoProgress) {
		want = append(want, capability.NoProgress)
	}
	if has(capability.Shallow) {
		req.Depth = packp.DepthCommits(p.depth)
		want = append(want, capability.Shallow)
	} else {
		req.Haves, req.Shallows = nil, nil
	}
	if len(req.Haves) > 0 {
		want = append(want, capability.ThinPack)
	}
	if p.commitsOnly && has(capability.Filter) {
		req.Filter = packp.FilterTreeDepth(0)
		want = append(want, capability.Filter)
	}
	for _, c := range want {
		if err := req.Capabilities.Set(c); err != nil {
			return err
		}
	}
	return nil
}

// demultiplex takes the pack out of the side band, where there is one.
func demultiplex(req *packp.UploadPackRequest, r io.Reader) io.Reader {
	switch {
	case req.Capabilities.Supports(capability.Sideband64k):
		return sideband.NewDemuxer(sideband.Sideband64k, r)
	case req.Capabilities.Supports(capability.Sideband):
		return sideband.NewDemuxer(sideband.Sideband, r)
	}
	return r
}

// tidyError is a server's error as one short line.
type tidyError struct {
	text string
	err  error
}

func (e *tidyError) Error() string { return e.text }
func (e *tidyError) Unwrap() error { return e.err }

// tidy shortens errors that quote what a server sent, be it a whole page.
func tidy(err error) error {
	text := strings.ToValidUTF8(strings.Join(strings.Fields(err.Error()), " "), "?")
	text = strings.TrimRight(text, ".:")
	if r := []rune(text); len(r) > 300 {
		text = string(r[:300]) + "…"
	}
	return &tidyError{text, err}
}

// isRefused reports whether a server would not give a commit by its id.
func isRefused(err error) bool {
	return strings.Contains(err.Error(), "not our ref")
}

// permanent keeps an error from being tried again.
func permanent(err error) error { return &permanentError{err} }

// permanentError is a failure that another try cannot mend.
type permanentError struct{ error }

func (e *permanentError) Unwrap() error { return e.error }

// isTransient reports whether an error of the network may be gone at the next try.
func isTransient(err error) bool {
	var last *permanentError
	var status *githttp.Err
	var untrusted *tls.CertificateVerificationError
	switch {
	case errors.As(err, &last), errors.As(err, &untrusted), isRefused(err),
		errors.Is(err, transport.ErrAuthenticationRequired),
		errors.Is(err, transport.ErrAuthorizationFailed),
		errors.Is(err, transport.ErrRepositoryNotFound),
		errors.Is(err, transport.ErrEmptyRemoteRepository),
		errors.Is(err, errTooMuch):
		return false
	case errors.As(err, &status):
		return status.StatusCode() >= 500 || status.StatusCode() == http.StatusTooManyRequests
	}
	return true
}
