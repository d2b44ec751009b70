# A runner for projects in JavaScript, with what GitHub's have of what setup/ needs.
FROM node:22-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends curl ca-certificates && rm -rf /var/lib/apt/lists/*
