// A receiver of Carillon's webhooks: go run webhook_receiver.go PORT, with the secret in WEBHOOK_SECRET.
// It needs only Go's standard library. verified is what you take over into your own server.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 300 * time.Second

type event struct {
	ID, Type, Message, Device, User string
	Details                         map[string]any
}

// verified returns the events of a request, or an error if it is not Carillon's, or an old one that somebody repeats.
func verified(secret string, header http.Header, body []byte) ([]event, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return nil, err
	}
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return nil, err
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, fmt.Errorf("the request is of %s", timestamp)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), timestamp)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// During a rotation there are two signatures.
	for _, each := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(each), []byte(expected)) {
			var request struct{ Events []event }
			err := json.Unmarshal(body, &request)
			return request.Events, err
		}
	}
	return nil, fmt.Errorf("no signature is right")
}

func main() {
	var mutex sync.Mutex
	seen := map[string]bool{} // in your server: a table, in one transaction with what you make of the events
	http.HandleFunc("/", func(writer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(io.LimitReader(request.Body, 4<<20))
		if err != nil {
			return
		}
		events, err := verified(os.Getenv("WEBHOOK_SECRET"), request.Header, body)
		if err != nil {
			writer.WriteHeader(http.StatusUnauthorized)
			return
		}
		mutex.Lock()
		defer mutex.Unlock()
		// A request may come twice, with an equal id.
		if id := request.Header.Get("webhook-id"); !seen[id] {
			seen[id] = true
			for _, each := range events {
				fmt.Println(each.Type, each.Message, each.User)
			}
		}
		writer.WriteHeader(http.StatusNoContent)
	})
	if err := http.ListenAndServe("127.0.0.1:"+os.Args[1], nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
