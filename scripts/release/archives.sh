#!/bin/sh
# archives.sh FOLDER
# Checks the archives of a release in FOLDER, one for each platform, against the
# checksums that were made with them, and joins those in SHA256SUMS.
set -eu
cd "${1:?usage: archives.sh FOLDER}"

for platform in linux-amd64 linux-arm64 darwin-amd64 darwin-arm64; do
	set -- ./*-"$platform".tar.gz
	[ $# = 1 ] && [ -f "$1" ] && [ -f "$1.sha256" ] || {
		echo "archives: $platform has not one archive with its checksum" >&2
		exit 1
	}
done
sha256sum --check --strict -- *.sha256
cat -- *.sha256 >SHA256SUMS
