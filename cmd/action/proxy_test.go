package main_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workflow-reviewer/internal/codex/codextest"
)

// TestProxyAndOwnRoots: all that goes to GitHub and to the model goes through
// the proxy that the environment names, and certificates of an authority that
// only SSL_CERT_FILE knows are trusted.
func TestProxyAndOwnRoots(t *testing.T) {
	t.Parallel()
	w, net := behindTLS(t)
	w.vars["HTTPS_PROXY"] = net.proxy
	w.run(w.pull("opened")).ends(0, "APPROVED")
	w.allClosed()
	if got, want := net.through(), []string{net.github, net.model}; !slices.Equal(got, want) {
		t.Errorf("through the proxy went %v, want %v", got, want)
	}
}

// TestNoProxy: a host that NO_PROXY names is asked directly.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	w, net := behindTLS(t)
	w.vars["https_proxy"], w.vars["no_proxy"] = net.proxy, net.github
	w.run(w.pull("opened")).ends(0, "APPROVED")
	if got, want := net.through(), []string{net.model}; !slices.Equal(got, want) {
		t.Errorf("through the proxy went %v, want %v", got, want)
	}
}

// TestUnknownAuthority: without SSL_CERT_FILE nothing is believed, and the run
// does not end as a verdict.
func TestUnknownAuthority(t *testing.T) {
	t.Parallel()
	w, _ := behindTLS(t)
	w.vars["NO_PROXY"] = "*"
	delete(w.vars, "SSL_CERT_FILE")
	o := w.run(w.pull("opened"))
	o.ends(2, "ERROR")
	if !strings.Contains(o.stdout, "certificate signed by unknown authority") {
		t.Errorf("the log does not say why:\n%s", o.stdout)
	}
	if n := w.model.Count(); n != 0 {
		t.Errorf("%d model requests", n)
	}
}

// guardedNet is a network in which GitHub and the model speak TLS under an
// authority of their own, beside a proxy. Both are at 0.0.0.0: an address that
// leads to this machine, but is none that goes around proxies by itself.
type guardedNet struct {
	proxy         string // URL
	github, model string // host:port

	mu   sync.Mutex
	seen []string // hosts that the proxy was asked to connect to
}

// behindTLS is a world with a model that approves, in such a network.
func behindTLS(t *testing.T) (*world, *guardedNet) {
	t.Helper()
	w := specWorld(t, codextest.Always(answer("APPROVED"))).withCodex()
	ca, cert := authority(t)
	write(t, w.workspace+"-ca", "ca.pem", ca)
	n := &guardedNet{}
	n.github, n.model = serveTLS(t, w.gh.URL, cert), serveTLS(t, strings.TrimSuffix(w.model.Endpoint(), "/v1/responses"), cert)
	proxy := httptest.NewServer(n)
	t.Cleanup(proxy.Close)
	n.proxy = proxy.URL
	for _, name := range []string{"GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_GRAPHQL_URL"} {
		w.vars[name] = strings.Replace(w.gh.Env(w.pull("opened"))[name], w.gh.URL, "https://"+n.github, 1)
	}
	w.inputs["responses-api-endpoint"] = "https://" + n.model + "/v1/responses"
	w.vars["SSL_CERT_FILE"] = w.workspace + "-ca/ca.pem"
	w.removeWorkspace() // so that commits are fetched
	return w, n
}

// through lists whom the proxy was asked for, each once, GitHub first.
func (n *guardedNet) through() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	var hosts []string
	for _, host := range []string{n.github, n.model} {
		if slices.Contains(n.seen, host) {
			hosts = append(hosts, host)
		}
	}
	for _, host := range n.seen {
		if host != n.github && host != n.model {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// ServeHTTP is the proxy: it connects, and does not look inside.
func (n *guardedNet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	n.seen = append(n.seen, r.Host)
	n.mu.Unlock()
	if r.Method != http.MethodConnect {
		http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
		return
	}
	there, err := new(net.Dialer).DialContext(r.Context(), "tcp", r.Host)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
	here, sent, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	go func() {
		_, _ = io.Copy(there, sent) // what the client sent before the connection was taken over, and all after it
		_ = there.Close()
	}()
	_, _ = io.Copy(here, there)
	_ = here.Close()
}

// serveTLS puts TLS before a server and returns its host and port.
func serveTLS(t *testing.T, target string, cert tls.Certificate) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(httputil.NewSingleHostReverseProxy(u))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail are what some tests are about
	s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("0.0.0.0", port)
}

// authority makes a certificate authority, and a certificate of it for 0.0.0.0.
func authority(t *testing.T) (caPEM string, cert tls.Certificate) {
	t.Helper()
	root := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	rootKey := key(t)
	rootDER := sign(t, root, root, &rootKey.PublicKey, rootKey)
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: root.NotBefore, NotAfter: root.NotAfter,
		IPAddresses: []net.IP{net.IPv4zero}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	leafKey := key(t)
	leafDER := sign(t, leaf, root, &leafKey.PublicKey, rootKey)
	caPEM = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: rootDER}))
	return caPEM, tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey}
}

func key(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sign(t *testing.T, cert, parent *x509.Certificate, public *ecdsa.PublicKey, by *ecdsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, cert, parent, public, by)
	if err != nil {
		t.Fatal(err)
	}
	return der
}
