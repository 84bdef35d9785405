// Package carillon is a client of Carillon's HTTP API, with nothing but Go's standard library.
package carillon

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	mathrand "math/rand"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The wait before the first repetition and the longest before a later one, where the service says nothing.
const (
	firstWait      = 500 * time.Millisecond
	longestBackoff = 8 * time.Second
	excerpt        = 200
)

// Client calls one service. It may be used by several goroutines.
type Client struct {
	url, key    string
	topic       string
	timeout     time.Duration
	attempts    int
	longestWait time.Duration
	http        *http.Client
}

// Options are those of a client. Each has a default.
type Options struct {
	// The app's bundle id; needed where the key is for several apps.
	Topic string
	// For one attempt, until its answer is complete. The default is 30 seconds.
	Timeout time.Duration
	// How often a call is made at most, if it may be repeated. The default is 4.
	Attempts int
	// The most time between two attempts. Where Retry-After asks for more, the error is returned. The default is a minute.
	LongestWait time.Duration
	// How connections are made. The default is http.DefaultTransport.
	Transport http.RoundTripper
}

var keyForm = regexp.MustCompile(`^[A-Za-z0-9._~+/=-]+$`)

// New returns a client. The address is like https://push.example.com; the key is of `carillon api-keys create`.
func New(address, key string, options Options) (*Client, error) {
	parts, err := url.Parse(address)
	if err != nil || (parts.Scheme != "http" && parts.Scheme != "https") || parts.Hostname() == "" ||
		parts.User != nil || parts.RawQuery != "" || parts.Fragment != "" {
		return nil, errors.New("carillon: the address must be like https://push.example.com, with no user, query or fragment")
	}
	if !keyForm.MatchString(key) {
		return nil, errors.New("carillon: the key must be an API key, without spaces and line ends")
	}
	if options.Attempts < 0 || options.Timeout < 0 || options.LongestWait < 0 {
		return nil, errors.New("carillon: attempts and times must not be negative")
	}
	client := &Client{
		url: strings.TrimRight(address, "/"), key: key, topic: options.Topic, timeout: 30 * time.Second, attempts: 4,
		longestWait: time.Minute,
	}
	if options.Timeout > 0 {
		client.timeout = options.Timeout
	}
	if options.Attempts > 0 {
		client.attempts = options.Attempts
	}
	if options.LongestWait > 0 {
		client.longestWait = options.LongestWait
	}
	// Redirects are not followed: the key is for this address only.
	client.http = &http.Client{Transport: options.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return client, nil
}

// String names the service, and not the key.
func (client *Client) String() string { return "carillon.Client(" + client.url + ")" }

// GoString is what %#v prints.
func (client *Client) GoString() string { return client.String() }

// Ptr returns a pointer to a value, for members that may be absent.
func Ptr[T any](value T) *T { return &value }

// CallOption is for a single call.
type CallOption func(*Request)

// IdempotencyKey makes two calls one, also those of two processes. Without it, each call has a key of its own where the API
// takes one.
func IdempotencyKey(key string) CallOption {
	return func(request *Request) { request.IdempotencyKey = key }
}

// IfMatch names the ETag of the settings that are changed: 412 if they have another meanwhile. Such a call is never repeated.
func IfMatch(etag string) CallOption { return func(request *Request) { request.IfMatch = etag } }

// Timeout is for one attempt of this call, until its answer is complete.
func Timeout(timeout time.Duration) CallOption {
	return func(request *Request) { request.Timeout = timeout }
}

// Request is a call of any kind, as Do takes it.
type Request struct {
	Method string
	// With each part encoded, by url.PathEscape.
	Path  string
	Query url.Values
	// A value that is sent as JSON; nil for none.
	Body any
	// What is sent as it is, in the place of a body. It is read from its beginning in each attempt.
	Content io.ReadSeeker
	// Of the content. The default is application/json.
	ContentType string
	// Whether each attempt has the same Idempotency-Key, if IdempotencyKey has none.
	Keyed bool
	// Whether a repetition may do something twice. Such a call is repeated only if it was surely not made.
	Once bool
	// Whether the client's topic does not go into the query: calls that do not name it refuse it.
	WithoutTopic   bool
	IdempotencyKey string
	IfMatch        string
	Timeout        time.Duration
}

// Answer is an answer with a status of 2xx.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

const (
	keyed = 1 << iota
	once
	withoutTopic
)

func (client *Client) call(
	ctx context.Context, method, head, id, tail string, query url.Values, body any, flags int, into any, options []CallOption,
) error {
	if strings.HasSuffix(head, "/") {
		if id == "" || id == "." || id == ".." {
			return errors.New("carillon: an id has at least one character, and is not . or ..")
		}
		head += url.PathEscape(id) + tail
	}
	request := Request{
		Method: method, Path: head, Query: query, Body: body, Keyed: flags&keyed != 0, Once: flags&once != 0,
		WithoutTopic: flags&withoutTopic != 0}
	for _, each := range options {
		each(&request)
	}
	answer, err := client.Do(ctx, request)
	if err != nil || into == nil {
		return err
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return client.foreign(answer, nil)
	}
	return nil
}

// Do makes any call of the API, also one that this client has no method for. The error is an *APIError, a *NoAnswerError, that of
// the context, or of an argument.
func (client *Client) Do(ctx context.Context, request Request) (*Answer, error) {
	content := request.Content
	if request.Body != nil {
		encoded, err := json.Marshal(request.Body)
		if err != nil {
			return nil, fmt.Errorf("carillon: the body is no JSON: %w", err)
		}
		content = bytes.NewReader(encoded)
	}
	if request.IdempotencyKey == "" && request.Keyed {
		request.IdempotencyKey = newKey()
	}
	mayRepeat := !request.Once && request.IfMatch == ""
	isLost := false
	for attempt := 1; ; attempt++ {
		isLast := attempt >= client.attempts
		answer, err := client.attempt(ctx, &request, content)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		wait := backoff(attempt)
		if err != nil {
			if isLast || !(mayRepeat || isUnsent(err)) {
				return nil, &NoAnswerError{client.withoutKey(request.Method + " " + request.Path + " at " + client.url), client.hidden(err)}
			}
			isLost = isLost || !isUnsent(err)
		} else {
			if isLost && request.Method == http.MethodDelete && answer.Status == http.StatusNotFound {
				return &Answer{Status: http.StatusNoContent, Header: answer.Header}, nil // the lost attempt has deleted it
			}
			failure := client.failure(answer)
			if failure == nil {
				return answer, nil
			}
			repeats := isPassing(failure.Status) && (mayRepeat || failure.Status == http.StatusTooManyRequests)
			if isLast || !repeats || (failure.RetryAfter != nil && *failure.RetryAfter > client.longestWait) {
				return nil, failure
			}
			if failure.RetryAfter != nil {
				wait = *failure.RetryAfter
			}
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (client *Client) attempt(ctx context.Context, request *Request, content io.ReadSeeker) (*Answer, error) {
	timeout := client.timeout
	if request.Timeout > 0 {
		timeout = request.Timeout
	}
	ctx, end := context.WithTimeout(ctx, timeout)
	defer end()
	target := client.url + request.Path
	query := url.Values{}
	if client.topic != "" && !request.WithoutTopic {
		query.Set("topic", client.topic)
	}
	for name, values := range request.Query {
		query[name] = values
	}
	if len(query) > 0 {
		// Encode writes a space as a plus, which is a plus here.
		target += "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
	}
	var body io.Reader
	if content != nil {
		if _, err := content.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		body = io.NopCloser(content)
	}
	made, err := http.NewRequestWithContext(ctx, request.Method, target, body)
	if err != nil {
		return nil, err
	}
	client.setHeaders(made, request, content)
	answer, err := client.http.Do(made)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	return &Answer{Status: answer.StatusCode, Header: answer.Header, Body: read}, nil
}

func (client *Client) setHeaders(made *http.Request, request *Request, content io.ReadSeeker) {
	made.Header.Set("Authorization", "Bearer "+client.key)
	made.Header.Set("Accept", "application/json")
	made.Header.Set("User-Agent", "carillon-go/1")
	if content != nil {
		made.Header.Set("Content-Type", "application/json")
		if request.ContentType != "" {
			made.Header.Set("Content-Type", request.ContentType)
		}
		if length, err := content.Seek(0, io.SeekEnd); err == nil {
			made.ContentLength = length
			content.Seek(0, io.SeekStart)
		}
	}
	if request.IdempotencyKey != "" {
		made.Header.Set("Idempotency-Key", request.IdempotencyKey)
	}
	if request.IfMatch != "" {
		made.Header.Set("If-Match", request.IfMatch)
	}
}

// isPassing says whether a call that may be repeated is made again after this status.
func isPassing(status int) bool {
	switch status {
	case 408, 429, 500, 502, 503, 504:
		return true
	}
	return false
}

// isUnsent says whether there was no connection, so nothing was sent.
func isUnsent(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial"
}

func backoff(attempt int) time.Duration {
	wait := math.Min(float64(longestBackoff), float64(firstWait)*math.Pow(2, float64(attempt-1)))
	return time.Duration(wait * (0.5 + mathrand.Float64()/2))
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func newKey() string {
	key := make([]byte, 16)
	if _, err := rand.Read(key); err != nil {
		panic(err) // the system has no randomness
	}
	return fmt.Sprintf("%x", key)
}

func orNil[T any](body *T) any {
	if body == nil {
		return nil
	}
	return body
}

type dryRun struct {
	Send
	DryRun bool `json:"dry_run"`
}

func joined[T ~string](values []T) string {
	texts := make([]string, len(values))
	for index, each := range values {
		texts[index] = string(each)
	}
	return strings.Join(texts, ",")
}

// retryAfter reads seconds, or a date by the clock of whoever answers.
func retryAfter(header http.Header) *time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(value, 10, 30); err == nil {
		return Ptr(time.Duration(seconds) * time.Second)
	}
	then, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	if wait := then.Sub(now); wait > 0 {
		return &wait
	}
	return Ptr(time.Duration(0))
}
