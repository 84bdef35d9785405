package carillonapns

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// A sender with the client certificate; one with the key is docs/examples/sender.go.
func send(t *testing.T, apns *APNs, token string) *http.Response {
	pem, err := os.ReadFile(apns.CA)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	certificate, err := tls.LoadX509KeyPair(apns.Certificate, apns.Certificate)
	if err != nil {
		t.Fatal(err)
	}
	configuration := &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{certificate}}
	client := http.Client{Transport: &http.Transport{TLSClientConfig: configuration, ForceAttemptHTTP2: true}}
	url := fmt.Sprintf("https://%s:%d/3/device/%s", apns.Host, apns.Port, token)
	request, _ := http.NewRequest("POST", url, strings.NewReader(`{"aps":{"alert":"Hello"}}`))
	request.Header.Set("apns-push-type", "alert")
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer
}

func status(t *testing.T, apns *APNs, token string, expected int) {
	t.Helper()
	if seen := send(t, apns, token).StatusCode; seen != expected {
		t.Fatalf("expected %d, saw %d", expected, seen)
	}
}

func TestAPushArrives(t *testing.T) {
	apns := Start(t, "--devices", "2")
	status(t, apns, apns.DeviceTokens[0], 200)
	var journal []struct{ Request struct{ Status int } }
	apns.Call("GET", "/requests", nil, &journal)
	if len(journal) != 1 || journal[0].Request.Status != 200 {
		t.Fatal(journal)
	}
}

func TestAPhoneIsOfflineAndDeletesTheApp(t *testing.T) {
	apns := Start(t)
	phone := apns.OfflineDevice()
	status(t, apns, phone.Token, 200)
	if push := phone.Connect().Push(); !strings.Contains(string(push.Payload), "Hello") {
		t.Fatal(push)
	}
	phone.Disconnect()
	status(t, apns, phone.Token, 200)
	apns.Advance(31 * 24 * time.Hour)
	phone.Connect()
	var seen struct{ Discarded map[string]int }
	apns.Call("GET", "/fleet", nil, &seen)
	if seen.Discarded["expired"] != 1 {
		t.Fatal("a push has waited for longer than 30 days", seen)
	}
	phone.DeleteApp()
	status(t, apns, phone.Token, 410)
}

func TestAPNsIsAwayForHalfAMinute(t *testing.T) {
	apns := Start(t)
	phone := apns.Device()
	apns.NextAnswer(Answer{Status: 503, RetryAfter: 30}, Answer{Reason: "TooManyRequests"})
	if answer := send(t, apns, phone.Token); answer.StatusCode != 503 || answer.Header.Get("retry-after") != "30" {
		t.Fatal(answer)
	}
	status(t, apns, phone.Token, 429)
	status(t, apns, phone.Token, 200)
	phone.Push()
}
