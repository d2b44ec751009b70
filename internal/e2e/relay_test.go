//go:build e2e

package e2e

import (
	"errors"
	"io"
	"net"
)

// relay listens on addresses and passes what comes to unix sockets: the
// arguments are pairs of both.
func relay(pairs []string) error {
	failed := make(chan error)
	for ; len(pairs) >= 2; pairs = pairs[2:] {
		l, err := net.Listen("tcp", pairs[0])
		if err != nil {
			return err
		}
		go func(socket string) {
			failed <- serveTo(l, func() (net.Conn, error) { return net.Dial("unix", socket) })
		}(pairs[1])
	}
	return <-failed
}

// serveTo passes each connection on to one that dial makes.
func serveTo(l net.Listener, dial func() (net.Conn, error)) error {
	for {
		in, err := l.Accept()
		if err != nil {
			return err
		}
		out, err := dial()
		if err != nil {
			return errors.Join(err, in.Close())
		}
		go pass(in, out)
		go pass(out, in)
	}
}

func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
	_ = from.Close()
}
