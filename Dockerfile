# The images of the action: our static binary, CA roots and, in the one that
# reviews with a model, codex's static binaries, on nothing else. There is no shell in them, so nothing that a pull
# request says can be run by one. Any builder can build them: this asks for no
# syntax of a certain BuildKit. The bases are arguments, so that a machine
# without this registry can take them from elsewhere.
ARG GO_IMAGE=golang:1.26-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
ARG NODE_IMAGE=node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c

FROM ${GO_IMAGE} AS build
ENV GOTOOLCHAIN=local
WORKDIR /src
# The parsers are most of the work and change with go.mod alone.
COPY go.mod go.sum ./
COPY scripts/pack-grammars.sh scripts/build-static.sh scripts/
RUN go mod download && scripts/build-static.sh --parsers
COPY . .
ARG VERSION=dev
ARG COMMIT
ARG SOURCE=https://github.com/OWNER/workflow-reviewer
RUN scripts/build-static.sh /out/workflow-reviewer "${VERSION}" "${COMMIT}" "${SOURCE#*://*/}" \
 && install -d -m 1777 /out/root/tmp

FROM ${NODE_IMAGE} AS codex
WORKDIR /install
COPY scripts/install-codex.sh scripts/
RUN scripts/install-codex.sh

# All that needs no model: plan, report, gate, and the engine "rules".
FROM scratch AS slim
COPY --from=build /out/root/ /
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY LICENSE THIRD_PARTY_NOTICES /usr/share/doc/workflow-reviewer/
COPY --from=build /out/workflow-reviewer /usr/local/bin/
ARG VERSION=dev
ARG COMMIT
ARG SOURCE=https://github.com/OWNER/workflow-reviewer
LABEL org.opencontainers.image.title="workflow-reviewer" \
      org.opencontainers.image.description="Reviews the specs, tests, code and planning documents a pull request touches, and gates on the verdict" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}"
ENV PATH=/usr/local/bin
ENTRYPOINT ["/usr/local/bin/workflow-reviewer"]

# codex-code-mode-host runs the tools of the models from gpt-5.6 on.
FROM slim AS whole
COPY --from=codex /install/.cache/codex/bin/codex /install/.cache/codex/bin/codex-code-mode-host /usr/local/bin/
