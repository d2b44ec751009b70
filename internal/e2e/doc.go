// Package e2e holds no code of the program: its tests, which the build tag e2e turns on, run the
// action's image as the runner of GitHub Actions starts it and under act, with the real codex
// against a scripted model and a GitHub that checks what it is asked. scripts/container/e2e.sh
// builds the image and runs them.
package e2e
