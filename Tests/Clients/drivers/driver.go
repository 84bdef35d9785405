// What the tests have the Go client do: driver SCENARIO [ARGUMENT …]. It prints one line of JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	"carillon.example/carillon"
)

type out map[string]any

func client() (*carillon.Client, error) {
	options := carillon.Options{Topic: os.Getenv("CARILLON_TOPIC")}
	if value, err := strconv.Atoi(os.Getenv("CLIENT_TIMEOUT")); err == nil {
		options.Timeout = time.Duration(value) * time.Millisecond
	}
	if value, err := strconv.Atoi(os.Getenv("CLIENT_ATTEMPTS")); err == nil {
		options.Attempts = value
	}
	return carillon.New(os.Getenv("CARILLON_URL"), os.Getenv("CARILLON_API_KEY"), options)
}

func verify(path string) (any, error) {
	raw, err := os.ReadFile(path)
	check(err)
	var request struct {
		Secrets []string
		Headers map[string]string
		Body    string
	}
	check(json.Unmarshal(raw, &request))
	header := http.Header{}
	for name, value := range request.Headers {
		header.Set(name, value)
	}
	events, err := carillon.VerifyWebhook(request.Secrets, header, []byte(request.Body))
	found := [][]string{}
	for _, each := range events {
		found = append(found, []string{string(each.Type), each.Message})
	}
	return found, err
}

func collected[T, V any](ctx context.Context, all *carillon.Iterator[T], value func(T) V) []V {
	found := []V{}
	for all.Next(ctx) {
		found = append(found, value(all.Value()))
	}
	check(all.Err())
	return found
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

// A failure of a scenario ends it, and main prints it.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

type failure struct{ err error }

func change(ctx context.Context, client *carillon.Client, webhook, etag string) (*carillon.Webhook, error) {
	return client.ChangeWebhook(ctx, webhook, carillon.WebhookChange{Texts: carillon.Ptr(true)}, carillon.IfMatch(etag))
}

func awaited(ctx context.Context, client *carillon.Client, message string) carillon.MessageState {
	for look := 0; look < 400; look++ {
		report := must(client.Report(ctx, message))
		if report.Counts["accepted"] == 1 {
			return report.State
		}
		time.Sleep(50 * time.Millisecond)
	}
	panic(message + " is not accepted by APNs")
}

func messages(ctx context.Context, client *carillon.Client, me string, out out) {
	first, second := me+"-1", me+"-2"
	body := carillon.Send{
		To: carillon.Audience{User: "u-42"}, ID: first, Campaign: me,
		Payload: map[string]any{"aps": map[string]any{"alert": map[string]any{"title": "Zug 🚆"}}}}
	out["count"] = must(client.CountAudience(ctx, carillon.Count{To: carillon.Audience{Devices: []string{"phone"}}}))
	out["dry_run"] = must(client.DryRun(ctx, body)).Devices
	out["send"] = must(client.Send(ctx, body)).Devices
	out["again"] = must(client.Send(ctx, body)).ID
	out["report"] = awaited(ctx, client, first)
	later := carillon.Send{
		To: carillon.Audience{User: "u-42"}, ID: second, SendAt: time.Now().Add(time.Hour),
		Payload: map[string]any{"aps": map[string]any{"alert": "Later"}}}
	out["later"] = must(client.Send(ctx, later)).State
	out["steered"] = []any{
		must(client.Pause(ctx, second)).State, must(client.Resume(ctx, second)).State, must(client.Cancel(ctx, second)).State}
	title := func(each carillon.ListedMessage) string { return each.Title }
	out["messages"] = collected(ctx, client.Messages(&carillon.MessagesQuery{ID: me + "-", Limit: 1}),
		func(each carillon.ListedMessage) string { return each.ID })
	out["cancelled"] = collected(ctx, client.Messages(&carillon.MessagesQuery{ID: me + "-", State: []string{"cancelled", "paused"}}), title)
	out["recipients"] = collected(ctx, client.Recipients(first, &carillon.RecipientsQuery{Group: "not_shown"}),
		func(each carillon.Recipient) []string { return []string{each.Device, each.State} })
	var events []string
	for timeline := client.Timeline(first, nil); timeline.Next(ctx); {
		for _, each := range timeline.Value().Events {
			events = append(events, each.Event)
		}
	}
	out["timeline"] = events
	out["resend"] = must(client.Resend(ctx, first, nil)).ID
	out["read"] = must(client.MarkRead(ctx, "u-42", carillon.Read{Messages: []string{first}})).Marked
	out["recall"] = must(client.Recall(ctx, first, &carillon.RecallRequest{Notice: &carillon.Notice{Title: "Vorbei"}})).State
	out["figures"] = must(client.Figures(ctx, &carillon.FiguresQuery{Campaign: me})).Total.Accepted > 0
	campaigns := []string{}
	for all := client.Campaigns(&carillon.CampaignsQuery{Limit: 1}); all.Next(ctx); {
		if all.Value().Campaign == me {
			campaigns = append(campaigns, me)
		}
	}
	out["campaigns"] = campaigns
}

func people(ctx context.Context, client *carillon.Client, me string, out out) {
	user := "u/" + me + " ü"
	row := fmt.Sprintf("token,user\n%s,%s\n", strings.Repeat(fmt.Sprintf("%x", me), 8), user)
	out["import"] = must(client.ImportDevices(ctx, strings.NewReader(row), carillon.ImportOptions{})).Added
	device := must(client.UserDevices(ctx, user))[0].Installation
	out["devices"] = collected(ctx, client.Devices(&carillon.DevicesQuery{User: user}),
		func(each carillon.Device) bool { return each.Installation == device })
	out["device"] = must(client.Device(ctx, "phone")).User
	out["sign_out_device"] = must(client.SignOutDevice(ctx, device)).Removals
	out["sign_out_user"] = must(client.SignOutUser(ctx, user))
	mine := []string{}
	for _, each := range must(client.User(ctx, "u-42", &carillon.UserQuery{Limit: 100})).Messages {
		if each.ID == me+"-1" {
			mine = append(mine, each.ID)
		}
	}
	out["user"] = mine
	out["erase_user"] = must(client.EraseUser(ctx, user, nil)).Remaining
	check(client.DeleteDevice(ctx, device))
	must(client.ChangeApp(ctx, carillon.AppChange{SendsPerSecond: carillon.Ptr[int64](500)}))
	out["app"] = must(client.App(ctx)).SendsPerSecond
	out["change_app"] = 0
	if changed := must(client.ChangeApp(ctx, carillon.AppChange{SendsPerSecond: carillon.Ptr[int64](0)})); changed.SendsPerSecond != nil {
		out["change_app"] = *changed.SendsPerSecond
	}
}

func activities(ctx context.Context, client *carillon.Client, me string, out out) {
	id := me + "-live"
	started := must(client.StartLiveActivity(ctx, carillon.LiveActivityStart{
		ID: id, To: carillon.Audience{User: "u-42"}, AttributesType: "OrderAttributes", Attributes: map[string]any{"order": id},
		ContentState: map[string]any{"stops": 9}, Alert: map[string]any{"title": "Your order"}}))
	out["started"] = []any{started.State, started.Phones}
	out["updated"] = must(client.UpdateLiveActivity(ctx, id, carillon.LiveActivityUpdate{ContentState: map[string]any{"stops": 8}})).Revision
	out["activity"] = must(client.LiveActivity(ctx, id)).ContentState
	out["phones"] = collected(ctx, client.LiveActivityTimeline(id, nil), func(each carillon.LiveActivityPhone) string { return each.Device })
	out["ended"] = must(client.EndLiveActivity(ctx, id, nil)).State
}

func webhooks(ctx context.Context, client *carillon.Client, me string, out out) {
	added := must(client.AddWebhook(ctx, carillon.NewWebhook{
		URL: "http://127.0.0.1:1/" + me, Types: []carillon.EventType{carillon.EventTypeMessageOpened}}))
	out["secret"] = strings.HasPrefix(added.Secret, "whsec_") && must(client.Webhook(ctx, added.ID)).Secret == ""
	answer := must(client.Do(ctx, carillon.Request{Method: "GET", Path: "/v1/webhooks/" + added.ID}))
	etag := answer.Header.Get("ETag")
	out["changed"] = must(change(ctx, client, added.ID, etag)).Texts
	var problem *carillon.APIError
	if _, err := change(ctx, client, added.ID, etag); errors.As(err, &problem) {
		out["stale"] = []any{problem.Status, problem.Name()}
	}
	out["rotated"] = must(client.RotateWebhook(ctx, added.ID)).Secret != added.Secret
	must(client.ReplayWebhook(ctx, added.ID, carillon.WebhookReplay{Since: time.Now().Add(-time.Minute)}))
	out["tested"] = must(client.TestWebhook(ctx, added.ID)).ID == added.ID
	found := []bool{}
	for _, each := range must(client.Webhooks(ctx)) {
		found = append(found, each.ID == added.ID)
	}
	out["webhooks"] = found
	check(client.DeleteWebhook(ctx, added.ID))
}

func everything(ctx context.Context, client *carillon.Client, me string) out {
	all := out{}
	cursor := must(client.Events(ctx, nil)).Next
	messages(ctx, client, me, all)
	people(ctx, client, me, all)
	activities(ctx, client, me, all)
	webhooks(ctx, client, me, all)
	all["events"] = collected(ctx, client.Follow(carillon.FollowOptions{
		After: cursor, Types: []carillon.EventType{carillon.EventTypeMessageAccepted}, Wait: -1}),
		func(each carillon.FeedEvent) string { return each.Message })
	return all
}

func play(ctx context.Context, client *carillon.Client, scenario string, arguments []string) any {
	switch scenario {
	case "new":
		return "made"
	case "report":
		return must(client.Report(ctx, arguments[0])).State
	case "send":
		return must(client.Send(ctx, carillon.Send{
			To: carillon.Audience{User: "u-42"}, Payload: map[string]any{"aps": map[string]any{"alert": "Zug 🚆 ü\u2028\\"}}})).ID
	case "messages":
		return collected(ctx, client.Messages(nil), func(each carillon.ListedMessage) string { return each.ID })
	case "delete-device":
		check(client.DeleteDevice(ctx, arguments[0]))
		return nil
	case "test-webhook":
		return must(client.TestWebhook(ctx, arguments[0])).ID
	case "change-webhook":
		return must(change(ctx, client, arguments[0], arguments[1])).ID
	case "import":
		return must(client.ImportDevices(ctx, must(os.Open(arguments[0])), carillon.ImportOptions{})).Added
	case "all":
		return everything(ctx, client, arguments[0])
	}
	panic("no scenario " + scenario)
}

func described(err error) out {
	var problem *carillon.APIError
	var lost *carillon.NoAnswerError
	text := fmt.Sprintf("%v %+v", err, err)
	switch {
	case errors.As(err, &problem):
		var wait any
		if problem.RetryAfter != nil {
			wait = problem.RetryAfter.Seconds()
		}
		return out{
			"kind": "api", "status": problem.Status, "type": problem.Type, "name": problem.Name(), "title": problem.Title,
			"detail": problem.Detail, "pointer": problem.Pointer, "retry_after": wait, "text": text}
	case errors.As(err, &lost):
		return out{"kind": "no-answer", "text": text}
	case errors.Is(err, carillon.ErrWebhook):
		return out{"kind": "webhook", "text": text}
	case errors.Is(err, context.Canceled):
		os.Exit(130)
	}
	return out{"kind": "argument", "text": text}
}

func main() {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	defer end()
	result := out{}
	func() {
		defer func() {
			switch thrown := recover().(type) {
			case nil:
			case failure:
				result = out{"error": described(thrown.err)}
			default:
				panic(thrown)
			}
		}()
		if os.Args[1] == "verify" {
			result["value"] = must(verify(os.Args[2]))
			return
		}
		client := must(client())
		result["shown"] = fmt.Sprintf("%v %+v %#v", client, client, client)
		result["value"] = play(ctx, client, os.Args[1], os.Args[2:])
	}()
	encoded, err := json.Marshal(result)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(encoded))
}
