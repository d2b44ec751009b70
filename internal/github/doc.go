// Package github speaks with GitHub: it reads the event that started a run, reads and writes pull
// requests, checks, comments and commits through the API, and talks to the Actions runner. It is
// the only user of go-github and go-githubactions.
//
// Everything that arrives here (event payloads, API answers, comment texts) is
// hostile: sizes are capped, names and commit ids are checked before use.
package github
