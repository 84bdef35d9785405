package carillon

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Iterator goes through the entries of all pages:
//
//	for entries.Next(ctx) {
//		use(entries.Value())
//	}
//	err := entries.Err()
type Iterator[T any] struct {
	fetch func(context.Context) ([]T, bool, error)
	page  []T
	value T
	done  bool
	err   error
}

// Next goes to the next entry, and says whether there is one. A page is fetched when the one before is used up.
func (iterator *Iterator[T]) Next(ctx context.Context) bool {
	for len(iterator.page) == 0 {
		if iterator.done || iterator.err != nil {
			return false
		}
		page, more, err := iterator.fetch(ctx)
		iterator.page, iterator.done, iterator.err = page, !more, err
	}
	iterator.value, iterator.page = iterator.page[0], iterator.page[1:]
	return true
}

// Value is the present entry.
func (iterator *Iterator[T]) Value() T { return iterator.value }

// Err is why Next has ended; nil behind the last entry.
func (iterator *Iterator[T]) Err() error { return iterator.err }

// FollowOptions are those of Follow.
type FollowOptions struct {
	// The ID of an event, or the Next of a page; without it, events from now on.
	After string
	Types []EventType
	Texts bool
	// The time between two looks. The default is two seconds; a negative one ends behind the newest event.
	Wait time.Duration
}

// Follow has events, and goes on as they happen. Store the ID of an event together with what you made of it: it is the After of
// the next start. Where few events are of your Types, use FollowPages, whose Next also passes the others.
func (client *Client) Follow(options FollowOptions) *Iterator[FeedEvent] {
	pages := client.FollowPages(options)
	return &Iterator[FeedEvent]{fetch: func(ctx context.Context) ([]FeedEvent, bool, error) {
		if !pages.Next(ctx) {
			return nil, false, pages.Err()
		}
		return pages.Value().Events, true, nil
	}}
}

// FollowPages has pages of events as Follow does. Store the Next of a page: it is the After of the next start.
func (client *Client) FollowPages(options FollowOptions) *Iterator[EventPage] {
	wait, after, isIdle := options.Wait, options.After, false
	if wait == 0 {
		wait = 2 * time.Second
	}
	return &Iterator[EventPage]{fetch: func(ctx context.Context) ([]EventPage, bool, error) {
		if isIdle {
			if err := pause(ctx, wait); err != nil {
				return nil, false, err
			}
		}
		page, err := client.Events(ctx, &EventsQuery{After: after, Types: options.Types, Texts: options.Texts, Limit: 1000})
		if err != nil {
			return nil, false, err
		}
		isIdle, after = page.Next == after, page.Next
		return []EventPage{*page}, !isIdle || wait >= 0, nil
	}}
}

// ImportOptions are those of ImportDevices.
type ImportOptions struct {
	// text/csv or application/x-ndjson. The default is text/csv.
	ContentType string
	// For records that name none; production by default.
	Environment Environment
	// Goes on behind that line of the file: the Line of an earlier report.
	AfterLine int
}

// ImportDevices imports devices that another provider knew (docs/import.md). Scope users. A file that comes again changes nothing.
// An attempt may take ten minutes, unless the option Timeout says otherwise.
func (client *Client) ImportDevices(
	ctx context.Context, content io.ReadSeeker, options ImportOptions, more ...CallOption,
) (*ImportReport, error) {
	query := url.Values{}
	if options.Environment != "" {
		query.Set("environment", string(options.Environment))
	}
	if options.AfterLine > 0 {
		query.Set("after_line", strconv.Itoa(options.AfterLine))
	}
	form := options.ContentType
	if form == "" {
		form = "text/csv"
	}
	var report ImportReport
	err := client.call(ctx, http.MethodPost, "/v1/devices/import", "", "", query, nil, 0, &report, append([]CallOption{
		func(request *Request) {
			request.Content, request.ContentType, request.Timeout = content, form, 10*time.Minute
		}}, more...))
	if err != nil {
		return nil, err
	}
	return &report, nil
}
