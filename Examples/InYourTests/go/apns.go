// Package carillonapns starts a simulated APNs for one test: apns := carillonapns.Start(t).
// It needs the program carillon-apns-simulator or carillon in PATH, or either in $CARILLON.
package carillonapns

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// APNs says where it is, whom to trust (CA, a file), and holds the credentials and device tokens.
type APNs struct {
	Host, CA, Key, Certificate, Topic string
	Port                              int
	KeyID                             string   `json:"key_id"`
	TeamID                            string   `json:"team_id"`
	AdminURL                          string   `json:"admin_url"`
	DeviceTokens                      []string `json:"device_tokens"`

	t      testing.TB
	phones int
}

// Start starts it on a free port, with further options of `carillon apns-simulator`, and stops it at the test's end.
func Start(t testing.TB, options ...string) *APNs {
	t.Helper()
	folder, arguments := t.TempDir(), program()
	arguments = append(arguments, "--port", "0", "--directory", folder)
	command := exec.Command(arguments[0], append(arguments[1:], options...)...)
	command.Stderr = os.Stderr
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Signal(os.Interrupt); command.Wait() })
	if line, _ := bufio.NewReader(output).ReadString('\n'); !strings.Contains(line, "is ready") {
		t.Fatalf("%s did not start: see its message above", arguments[0])
	}
	apns := &APNs{t: t}
	text, _ := os.ReadFile(filepath.Join(folder, "simulator.json"))
	if err := json.Unmarshal(text, apns); err != nil {
		t.Fatal(err)
	}
	return apns
}

// program is what Start runs: the program of $CARILLON, the simulator's own of PATH, or carillon.
func program() []string {
	const alone = "carillon-apns-simulator"
	if named := os.Getenv("CARILLON"); filepath.Base(named) == alone {
		return []string{named}
	} else if named != "" {
		return []string{named, "apns-simulator"}
	}
	if found, err := exec.LookPath(alone); err == nil {
		return []string{found}
	}
	return []string{"carillon", "apns-simulator"}
}

// Call calls the admin API, with a body as JSON unless it is nil, and decodes the answer into it unless that is nil:
// Call("GET", "/requests", nil, &journal).
func (apns *APNs) Call(method, path string, body, answer any) {
	apns.t.Helper()
	var text io.Reader
	if body != nil {
		encoded, _ := json.Marshal(body)
		text = bytes.NewReader(encoded)
	}
	request, _ := http.NewRequest(method, apns.AdminURL+path, text)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		apns.t.Fatal(err)
	}
	defer response.Body.Close()
	seen, _ := io.ReadAll(response.Body)
	if response.StatusCode >= 300 {
		apns.t.Fatalf("%s %s: %d %s", method, path, response.StatusCode, seen)
	}
	if answer != nil {
		if err := json.Unmarshal(seen, answer); err != nil {
			apns.t.Fatal(err)
		}
	}
}

// Answer is how one request ends: a Status with Apple's usual Reason or another one, and with RetryAfter seconds if there are any;
// or, without a Status, one of Apple's reasons, "lose-answer", "cut", "fall-silent" … as the Reason.
type Answer struct {
	Status, RetryAfter int
	Reason             string
}

var reasons = map[int]string{400: "BadDeviceToken", 403: "InvalidProviderToken", 410: "Unregistered", 413: "PayloadTooLarge",
	429: "TooManyRequests", 500: "InternalServerError", 503: "ServiceUnavailable"}

// NextAnswer says how the next requests end, one each, whatever their tokens.
func (apns *APNs) NextAnswer(answers ...Answer) {
	apns.t.Helper()
	faults := []any{}
	for _, answer := range answers {
		if answer.Reason == "" {
			answer.Reason = reasons[answer.Status]
		}
		if answer.Status == 0 {
			faults = append(faults, answer.Reason)
			continue
		}
		fault := map[string]any{"status": answer.Status, "body": fmt.Sprintf(`{"reason":%q}`, answer.Reason)}
		if answer.RetryAfter > 0 {
			fault["retry_after_seconds"] = answer.RetryAfter
		}
		faults = append(faults, fault)
	}
	apns.Call("POST", "/answers", map[string]any{"answers": faults}, nil)
}

// Advance puts APNs' clock forward: Advance(31 * 24 * time.Hour).
func (apns *APNs) Advance(by time.Duration) {
	apns.t.Helper()
	apns.Call("POST", "/clock", map[string]any{"advance_seconds": by.Seconds()}, nil)
}

// Phone is a phone with one app.
type Phone struct {
	Name, Token string
	apns        *APNs
	arrived     chan Push
	stream      io.Closer
}

// Push is a push as it arrived.
type Push struct {
	Topic    string
	Priority int
	Payload  json.RawMessage
}

// Device is a new phone with the app of the first topic, which is online.
func (apns *APNs) Device() *Phone {
	apns.t.Helper()
	return apns.OfflineDevice().Connect()
}

// OfflineDevice is a new phone with the app of the first topic, which is offline until Connect.
func (apns *APNs) OfflineDevice() *Phone {
	apns.t.Helper()
	apns.phones++
	phone := &Phone{Name: fmt.Sprintf("phone-%d", apns.phones), apns: apns, arrived: make(chan Push, 1000)}
	var issued struct{ Token string }
	apns.Call("POST", "/devices/"+phone.Name+"/tokens", nil, &issued)
	phone.Token = issued.Token
	apns.t.Cleanup(phone.hangUp)
	return phone
}

// Connect brings it online: what has waited arrives first.
func (phone *Phone) Connect() *Phone {
	response, err := http.Get(phone.apns.AdminURL + "/devices/" + phone.Name + "/pushes")
	if err != nil {
		phone.apns.t.Fatal(err)
	}
	phone.stream = response.Body
	go func() {
		lines := bufio.NewReader(response.Body)
		for line, err := lines.ReadString('\n'); err == nil; line, err = lines.ReadString('\n') {
			var push Push
			text := strings.TrimPrefix(line, "data: ")
			if text != line && json.Unmarshal([]byte(text), &push) == nil {
				phone.arrived <- push
			}
		}
	}()
	phone.until(true)
	return phone
}

// Disconnect takes it offline, so that APNs stores what is sent to it.
func (phone *Phone) Disconnect() {
	phone.hangUp()
	phone.until(false)
}

func (phone *Phone) hangUp() {
	if phone.stream != nil {
		phone.stream.Close()
		phone.stream = nil
	}
}

func (phone *Phone) until(online bool) {
	for seen := (struct{ Online bool }{!online}); seen.Online != online; {
		phone.apns.Call("GET", "/devices/"+phone.Name, nil, &seen)
	}
}

// Push is the next push that arrives.
func (phone *Phone) Push() Push {
	phone.apns.t.Helper()
	select {
	case push := <-phone.arrived:
		return push
	case <-time.After(10 * time.Second):
		phone.apns.t.Fatalf("no push came to %s", phone.Name)
		return Push{}
	}
}

// DeleteApp deletes the app: 410 Unregistered from now on.
func (phone *Phone) DeleteApp() {
	phone.apns.t.Helper()
	phone.apns.Call("DELETE", "/tokens/"+phone.Token, nil, nil)
}
