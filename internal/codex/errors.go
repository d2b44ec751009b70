package codex

import (
	"strings"

	"workflow-reviewer/internal/markdown"
	"workflow-reviewer/internal/review"
)

// failed is the error of a class, with what happened and what the user can do.
func failed(class review.Class, message, action string) *review.EngineError {
	return &review.EngineError{Class: class, Message: message, Action: action}
}

// incompatible is the error of an endpoint that is no complete Responses API.
func incompatible(msg string) *review.EngineError {
	return failed(
		review.BadRequest,
		msg,
		"check that the input responses-api-endpoint is the full URL of a Responses API with streaming; "+
			"see docs/providers.md for what a server must offer",
	)
}

func requestError(msg string) *review.EngineError {
	const do = "check the inputs model, effort and responses-api-endpoint"
	return failed(review.BadRequest, msg, do)
}

// transportError is the failure of a connection, which is tried once more.
func transportError(what string) *review.EngineError {
	return failed(review.Transport, "Codex API failed: "+what,
		"run the review again; if it stays, check the endpoint's status and the runner's network")
}

func answerError(msg string) *review.EngineError {
	return failed(review.Answer, msg, "run the review again, or use another model")
}

// setup is the error of surroundings in which no review can run.
func setup(action string, err error) error {
	e := failed(review.Setup, err.Error(), action)
	e.Err = err
	return e
}

func internal(msg string) error {
	return failed(review.Internal, msg, "report this as a defect of workflow-reviewer")
}

// maxMessage is the longest foreign text that enters a message, in bytes.
const maxMessage = 400

// oneLine is a text of the other side for a message: without the secret, on one line, cut to
// maxMessage bytes.
func oneLine(s, secret string) string {
	if secret != "" {
		s = strings.ReplaceAll(s, secret, "***")
	}
	return markdown.Line(s, maxMessage)
}
