package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/http"
)

// remote is the place that the repository came from: nowhere, a path, or an http(s) URL.
type remote struct {
	path    string // of another repository on this machine
	url     string // without user and password
	auth    transport.AuthMethod
	problem error // why it cannot be used
}

// String names the remote for people, without credentials.
func (m remote) String() string {
	return cmp.Or(m.path, m.url)
}

// parseRemote reads a remote's URL as git does; a relative path starts from
// folder. An ssh remote is replaced by Options.Remote, or by its https form.
func parseRemote(raw, folder string, opt Options) remote {
	if raw == "" {
		return remote{problem: errors.New("there is no remote")}
	}
	if host, path, ok := sshRemote(raw); ok {
		if _, _, ssh := sshRemote(opt.Remote); opt.Remote != "" && !ssh {
			return parseRemote(opt.Remote, "", opt)
		}
		raw = "https://" + host + "/" + strings.TrimPrefix(path, "/")
	}
	if !strings.Contains(raw, "://") {
		return remote{path: resolvePath(folder, raw)}
	}
	u, err := url.Parse(raw)
	if err != nil {
		// The error itself would quote a password.
		return remote{problem: errors.New("the remote's URL cannot be parsed")}
	}
	if u.Scheme == "file" {
		return remote{path: filepath.FromSlash(u.Path)}
	}
	return httpRemote(u, opt)
}

// httpRemote is a remote by URL. User, query and fragment leave the URL, so that no message can
// show them. A URL that the program does not talk to is a problem that is told when it is used.
func httpRemote(u *url.URL, opt Options) remote {
	user := u.User
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	m := remote{url: u.String()}
	switch {
	case u.Host == "":
		m.problem = fmt.Errorf("the remote %q names no host", m.url)
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		m.auth = credentials(u, user, opt)
	default:
		m.problem = fmt.Errorf("the remote %q is not supported: "+
			"use https, a path, or http on a loopback address", m.url)
	}
	return m
}

// credentials are the token for its own host, else those that the user wrote into the URL, which
// belong to its host.
func credentials(u *url.URL, user *url.Userinfo, opt Options) transport.AuthMethod {
	host := opt.AuthHost
	if host == "" {
		if home, err := url.Parse(opt.Remote); err == nil {
			host = home.Host
		}
	}
	if opt.Token != "" && strings.EqualFold(u.Host, host) {
		return &http.BasicAuth{Username: "x-access-token", Password: opt.Token}
	}
	if password, ok := user.Password(); ok || user.Username() != "" {
		return &http.BasicAuth{Username: user.Username(), Password: password}
	}
	return nil
}

// sshRemote splits ssh://user@host/path and user@host:path. A port and the user are left out:
// the https form of the same host has neither.
func sshRemote(raw string) (host, path string, ok bool) {
	if rest, found := strings.CutPrefix(raw, "ssh://"); found {
		host, path, _ = strings.Cut(rest, "/")
		host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
		return host, path, true
	}
	colon := strings.IndexByte(raw, ':')
	if colon < 0 || strings.HasPrefix(raw[colon:], "://") || strings.Contains(raw[:colon], "/") {
		return "", "", false
	}
	host = raw[strings.LastIndexByte(raw[:colon], '@')+1 : colon]
	return host, raw[colon+1:], true
}

// loopback reports whether a host is this machine. Names other than localhost are not resolved.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
