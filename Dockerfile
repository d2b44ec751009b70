# The image of the action: our static binary, codex's static binary and CA
# roots, on nothing else. There is no shell in it, so nothing that a pull
# request says can be run by one. The bases are arguments, so that a build can
# pin them by digest or take them from elsewhere.
ARG GO_IMAGE=golang:1.26-bookworm
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=
RUN CGO_ENABLED=1 go build -trimpath -tags "netgo osusergo" \
      -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT} -linkmode external -extldflags \"-static\"" \
      -o /out/workflow-reviewer ./cmd/action \
 && install -d -m 1777 /out/root/tmp

FROM ${NODE_IMAGE} AS codex
COPY scripts/install-codex.sh /install/scripts/
RUN sh /install/scripts/install-codex.sh

FROM scratch
COPY --from=build /out/root/ /
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/workflow-reviewer /usr/local/bin/
COPY --from=codex /install/.cache/codex/bin/codex /install/.cache/codex/bin/codex-code-mode-host /usr/local/bin/
COPY LICENSE THIRD_PARTY_NOTICES /usr/share/doc/workflow-reviewer/
ENV PATH=/usr/local/bin
ENTRYPOINT ["/usr/local/bin/workflow-reviewer"]
