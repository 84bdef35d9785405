package carillonapns

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

// A sender with the client certificate; one with the key is docs/examples/sender.go.
func send(t *testing.T, apns *APNs, token string) int {
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
	return answer.StatusCode
}

func TestAPushArrives(t *testing.T) {
	apns := Start(t, "--devices", "2")
	if status := send(t, apns, apns.DeviceTokens[0]); status != 200 {
		t.Fatal(status)
	}
	answer, err := apns.Call("GET", "/requests", "")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var journal []struct{ Request struct{ Status int } }
	if err := json.NewDecoder(answer.Body).Decode(&journal); err != nil || len(journal) != 1 || journal[0].Request.Status != 200 {
		t.Fatal(err, journal)
	}
}

func TestADeletedAppIs410(t *testing.T) {
	apns := Start(t)
	if _, err := apns.Call("DELETE", "/tokens/"+apns.DeviceTokens[0], ""); err != nil {
		t.Fatal(err)
	}
	if status := send(t, apns, apns.DeviceTokens[0]); status != 410 {
		t.Fatal(status)
	}
}
