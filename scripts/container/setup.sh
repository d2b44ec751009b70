#!/usr/bin/env bash
# setup.sh DIR
# Sets up what the tests in containers need and this machine lacks: Docker and a
# running daemon, act (into DIR/bin), and the images that the Dockerfile builds
# on. Does nothing where all is there. Fails if Docker cannot be had.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "${1:?usage: setup.sh DIR}/bin"
dir=$(cd "$1" && pwd)
act=v0.2.89

sudo=()
((EUID == 0)) || sudo=(sudo)

fail() {
	echo "e2e: $*" >&2
	exit 1
}

stage() {
	local start=$SECONDS
	"$@"
	((SECONDS - start < 2)) || echo "e2e: $* took $((SECONDS - start)) s"
}

docker_program() {
	command -v docker >/dev/null && { docker info >/dev/null 2>&1 || command -v dockerd >/dev/null; } && return
	"${sudo[@]}" apt-get update -qq &&
		DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends docker.io iptables >/dev/null ||
		fail "Docker cannot be installed here: install it, then run this again"
}

# A daemon that is started here is noted in DIR/dockerd.pid, so that e2e.sh can
# stop it again.
docker_daemon() {
	docker info >/dev/null 2>&1 && return
	echo "e2e: starting dockerd"
	"${sudo[@]}" bash -c 'setsid nohup dockerd >"$1/dockerd.log" 2>&1 </dev/null & echo $! >"$1/dockerd.pid"' _ "$dir"
	for _ in $(seq 120); do
		docker info >/dev/null 2>&1 && return
		"${sudo[@]}" kill -0 "$(cat "$dir/dockerd.pid")" 2>/dev/null || break
		sleep 0.5
	done
	tail -n 5 "$dir/dockerd.log" >&2
	"${sudo[@]}" rm -f "$dir/dockerd.pid"
	fail "the Docker daemon does not answer"
}

install_act() {
	[[ -x $dir/bin/act-$act ]] && return
	GOBIN=$dir/bin go install "github.com/nektos/act@$act" && mv "$dir/bin/act" "$dir/bin/act-$act"
	ln -sf "act-$act" "$dir/bin/act"
}

# An image comes from its registry, or is made where that cannot be reached.
base_image() {
	docker image inspect "$1" >/dev/null 2>&1 || docker pull -q "$1" >/dev/null 2>&1 || "$here/base-image.sh" "$1"
}

stage docker_program
stage docker_daemon
stage install_act
stage base_image golang:1.26-bookworm
stage base_image node:22-bookworm-slim
