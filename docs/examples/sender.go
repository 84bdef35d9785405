// A sender with nothing but Go's standard library: go run sender.go, with $APNS_DIRECTORY as the simulator filled it.
package main

import (
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type setup struct {
	Host         string   `json:"host"`
	Port         int      `json:"port"`
	TeamID       string   `json:"team_id"`
	KeyID        string   `json:"key_id"`
	Topic        string   `json:"topic"`
	DeviceTokens []string `json:"device_tokens"`
	CA           string   `json:"ca"`
	Key          string   `json:"key"`
}

func main() {
	var apns setup
	check(json.Unmarshal(read(filepath.Join(os.Getenv("APNS_DIRECTORY"), "simulator.json")), &apns))
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(read(apns.CA))
	// A transport with a TLS configuration of its own speaks HTTP/2 only when it is asked to.
	client := http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true,
	}}
	url := fmt.Sprintf("https://%s:%d/3/device/%s", apns.Host, apns.Port, apns.DeviceTokens[0])
	request, err := http.NewRequest("POST", url, strings.NewReader(`{"aps":{"alert":"Hello from Go"}}`))
	check(err)
	request.Header.Set("authorization", "bearer "+sign(apns))
	request.Header.Set("apns-topic", apns.Topic)
	request.Header.Set("apns-push-type", "alert")
	answer, err := client.Do(request)
	check(err)
	body, err := io.ReadAll(answer.Body)
	check(err)
	fmt.Println(answer.Proto, answer.StatusCode, string(body))
	if answer.StatusCode != 200 {
		os.Exit(1)
	}
}

func sign(apns setup) string {
	block, _ := pem.Decode(read(apns.Key))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	check(err)
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(fmt.Sprintf(`{"alg":"ES256","kid":"%s"}`, apns.KeyID))) + "." +
		encode([]byte(fmt.Sprintf(`{"iss":"%s","iat":%d}`, apns.TeamID, time.Now().Unix())))
	hash := sha256.Sum256([]byte(text))
	r, s, err := ecdsa.Sign(rand.Reader, key.(*ecdsa.PrivateKey), hash[:])
	check(err)
	signature := make([]byte, 64)
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	return text + "." + encode(signature)
}

func read(path string) []byte {
	bytes, err := os.ReadFile(path)
	check(err)
	return bytes
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
