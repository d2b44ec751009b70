#!/usr/bin/env bash
# public.sh IMAGE@DIGEST
# Whether everybody can pull the image: asks the registry as docker does that has
# never logged in. The package of a first release is private until somebody
# changes that, which no token of a workflow can. Status 1: it is private.
set -euo pipefail
shopt -s inherit_errexit
image=${1%@*} digest=${1#*@}
host=${image%%/*} path=${image#*/}
scheme=https
case $host in localhost | localhost:* | 127.0.0.1 | 127.0.0.1:*) scheme=http ;; esac # as docker does
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

ask() { # prints the status; the answer is in $work/body
	curl --silent --show-error --retry 3 --max-time 60 --output "$work/body" --dump-header "$work/headers" --write-out '%{http_code}' \
		--header 'Accept: application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json' "$@"
}

challenge() { # NAME: a field of the answer's "WWW-Authenticate: Bearer …"
	tr -d '\r' <"$work/headers" | sed -n 's/^www-authenticate: *bearer /,/Ip' | sed -n "s/.*[, ]$1=\"\([^\"]*\)\".*/\1/p"
}

manifest=$scheme://$host/v2/$path/manifests/$digest
status=$(ask "$manifest")
realm=$(challenge realm)
if [[ $status == 401 && -n $realm ]]; then
	status=$(ask --get --data-urlencode "service=$(challenge service)" --data-urlencode "scope=repository:$path:pull" "$realm")
	if [[ $status == 200 ]]; then
		token=$(jq -r '.token // .access_token // empty' "$work/body")
		status=$(ask --header "Authorization: Bearer $token" "$manifest")
	fi
fi

case $status in
200)
	got=sha256:$(sha256sum <"$work/body" | cut -d' ' -f1)
	[[ $got == "$digest" ]] || { echo "::error::$host answers with $got for $digest" >&2; exit 2; }
	echo "everybody can pull $1"
	;;
401 | 403 | 404)
	echo "::error title=The package is private::$image cannot be pulled without a login ($host answered $status), and nothing is tagged yet." \
		"Open $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/pkgs/container/${path##*/}, choose «Package settings», «Change visibility», «Public»," \
		"then «Re-run failed jobs» on this run." >&2
	exit 1
	;;
*)
	echo "::error::$host answered $status when asked for $1; nothing is tagged yet. Use «Re-run failed jobs» on this run." >&2
	exit 2
	;;
esac
