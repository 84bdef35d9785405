package carillon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const typePrefix = "urn:carillon:problem:"

// APIError is an answer that is no success. Decide by Type, which never changes (docs/errors.md), or by Name, its last part.
type APIError struct {
	// The HTTP status. 200 if the answer of a successful call could not be read, as of a proxy's page.
	Status int
	// Such as urn:carillon:problem:no-such-message; about:blank for an answer of a proxy in between.
	Type string
	// The kind of error in words.
	Title string
	// What was wrong in this call, and what to do.
	Detail string
	// The place in the body, as a JSON pointer; empty if it is elsewhere.
	Pointer string
	// The time after which the service says to try again; nil if it says none.
	RetryAfter *time.Duration
}

// Name is the last part of Type, such as no-such-message; empty for an answer of a proxy in between.
func (problem *APIError) Name() string {
	if !strings.HasPrefix(problem.Type, typePrefix) {
		return ""
	}
	return strings.TrimPrefix(problem.Type, typePrefix)
}

func (problem *APIError) Error() string {
	name := problem.Name()
	if name == "" {
		name = "not of Carillon"
	}
	text := fmt.Sprintf("carillon: %d %s: %s: %s", problem.Status, name, problem.Title, problem.Detail)
	if problem.Pointer != "" {
		text += " (at " + problem.Pointer + ")"
	}
	return text
}

// NoAnswerError says that no complete answer came: the service is away, too slow, or the connection broke. The call may have been
// made or not.
type NoAnswerError struct {
	call  string
	cause error
}

func (failure *NoAnswerError) Error() string {
	return "carillon: " + failure.call + " had no answer: " + failure.cause.Error()
}

// Unwrap returns what net/http said.
func (failure *NoAnswerError) Unwrap() error { return failure.cause }

// failure returns the error of an answer, and nil for a successful one.
func (client *Client) failure(answer *Answer) *APIError {
	if answer.Status >= 200 && answer.Status < 300 {
		if len(answer.Body) == 0 || json.Valid(answer.Body) {
			return nil
		}
		return client.foreign(answer, retryAfter(answer.Header))
	}
	var problem struct{ Type, Title, Detail, Pointer string }
	wait := retryAfter(answer.Header)
	if answer.Status < 400 || json.Unmarshal(answer.Body, &problem) != nil || problem.Type == "" {
		return client.foreign(answer, wait)
	}
	return &APIError{
		answer.Status, client.withoutKey(problem.Type), client.withoutKey(problem.Title), client.withoutKey(problem.Detail),
		problem.Pointer, wait}
}

// foreign returns the error of an answer that the service itself does not give.
func (client *Client) foreign(answer *Answer, wait *time.Duration) *APIError {
	problem := &APIError{Status: answer.Status, Type: "about:blank", Title: http.StatusText(answer.Status), RetryAfter: wait}
	if answer.Status >= 300 && answer.Status < 400 {
		problem.Detail = "redirected to " + client.excerpt(answer.Header.Get("Location")) +
			", which is not followed: give the client the service's own address"
		return problem
	}
	problem.Detail = "the answer is no JSON of Carillon, but " + answer.Header.Get("Content-Type") + ", as of a proxy in between: " +
		client.excerpt(string(answer.Body))
	return problem
}

func (client *Client) excerpt(text string) string {
	text = client.withoutKey(strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " "))
	if characters := []rune(text); len(characters) > excerpt {
		return string(characters[:excerpt])
	}
	return text
}

func (client *Client) withoutKey(text string) string {
	return strings.ReplaceAll(text, client.key, "…")
}

// hidden returns an error whose text has no key.
func (client *Client) hidden(err error) error {
	if text := err.Error(); strings.Contains(text, client.key) {
		return fmt.Errorf("%s", client.withoutKey(text))
	}
	return err
}
