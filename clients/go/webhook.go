package carillon

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookTolerance is by how much the time of a webhook's request may differ from the clock.
const WebhookTolerance = 5 * time.Minute

// ErrWebhook is wrapped by the errors of VerifyWebhook about a request. Answer 401.
var ErrWebhook = errors.New("carillon: not a webhook of this service")

// VerifyWebhook returns the events of a request, verified as Standard Webhooks says. The secrets are whsec_…, or several during a
// rotation; the body is as it came, not parsed and written again. The header webhook-id is the same when the request comes again:
// remember it.
func VerifyWebhook(secrets []string, header http.Header, body []byte) ([]FeedEvent, error) {
	return verifyWebhook(secrets, header, body, time.Now())
}

func verifyWebhook(secrets []string, header http.Header, body []byte, now time.Time) ([]FeedEvent, error) {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 48)
	if id == "" || err != nil {
		return nil, fmt.Errorf("%w: it has no webhook-id, or no webhook-timestamp in seconds", ErrWebhook)
	}
	if age := now.Sub(time.Unix(int64(seconds), 0)); age > WebhookTolerance || age < -WebhookTolerance {
		return nil, fmt.Errorf("%w: it is of another time: an old one that is repeated, or a clock is wrong", ErrWebhook)
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("carillon: a webhook's secret is whsec_ and base64, as the call that made the webhook has answered it")
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", id, timestamp)
		mac.Write(body)
		expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(each), expected) {
				return events(body)
			}
		}
	}
	return nil, fmt.Errorf("%w: no signature is of this secret", ErrWebhook)
}

func events(body []byte) ([]FeedEvent, error) {
	var request struct{ Events []FeedEvent }
	if json.Unmarshal(body, &request) != nil || request.Events == nil {
		return nil, fmt.Errorf("%w: it is signed and has no events", ErrWebhook)
	}
	return request.Events, nil
}
