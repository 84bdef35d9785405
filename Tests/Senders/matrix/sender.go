// A sender on Go's net/http alone. Reads JSON lines, answers each with one: see python_sender.py. The provider token comes
// with each line.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type setup struct {
	Host, CA, Topic, Certificate string
	Port                         int
}

type command struct {
	Tokens        []string
	Authorization string
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	var apns setup
	lines.Scan()
	check(json.Unmarshal(lines.Bytes(), &apns))
	pem, err := os.ReadFile(apns.CA)
	check(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	configuration := &tls.Config{RootCAs: roots}
	if apns.Certificate != "" {
		certificate, err := tls.LoadX509KeyPair(apns.Certificate, apns.Certificate)
		check(err)
		configuration.Certificates = []tls.Certificate{certificate}
	}
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: configuration, ForceAttemptHTTP2: true}, Timeout: 5 * time.Second,
	}
	for lines.Scan() {
		var order command
		check(json.Unmarshal(lines.Bytes(), &order))
		var lock sync.Mutex
		var group sync.WaitGroup
		counts := map[string]int{}
		for _, token := range order.Tokens {
			group.Add(1)
			go func(token string) {
				defer group.Done()
				outcome := send(client, apns, order.Authorization, token)
				lock.Lock()
				counts[outcome]++
				lock.Unlock()
			}(token)
		}
		group.Wait()
		answer, err := json.Marshal(counts)
		check(err)
		fmt.Println(string(answer))
	}
}

func send(client *http.Client, apns setup, authorization, token string) string {
	url := fmt.Sprintf("https://%s:%d/3/device/%s", apns.Host, apns.Port, token)
	request, err := http.NewRequest("POST", url, strings.NewReader(`{"aps":{"alert":"Hello"}}`))
	check(err)
	request.Header.Set("apns-topic", apns.Topic)
	request.Header.Set("apns-push-type", "alert")
	if authorization != "" {
		request.Header.Set("authorization", authorization)
	}
	answer, err := client.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return "error"
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return "error"
	}
	if answer.StatusCode == 200 {
		return "200"
	}
	var refusal struct{ Reason string }
	check(json.Unmarshal(body, &refusal))
	return refusal.Reason
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
