// Package carillonapns starts a simulated APNs for one test: apns := carillonapns.Start(t).
// It needs the program carillon in PATH, or in $CARILLON.
package carillonapns

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// APNs says where it is, whom to trust (CA, a file), and holds the credentials and device tokens.
type APNs struct {
	Host, CA, Key, Certificate, Topic string
	Port                              int
	KeyID                             string   `json:"key_id"`
	TeamID                            string   `json:"team_id"`
	AdminURL                          string   `json:"admin_url"`
	DeviceTokens                      []string `json:"device_tokens"`
}

// Start starts it on a free port, with further options of `carillon apns-simulator`, and stops it at the test's end.
func Start(t testing.TB, options ...string) *APNs {
	t.Helper()
	folder, program := t.TempDir(), os.Getenv("CARILLON")
	if program == "" {
		program = "carillon"
	}
	command := exec.Command(program, append([]string{"apns-simulator", "--port", "0", "--directory", folder}, options...)...)
	command.Stderr = os.Stderr
	output, _ := command.StdoutPipe()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { command.Process.Signal(os.Interrupt); command.Wait() })
	if line, _ := bufio.NewReader(output).ReadString('\n'); !strings.Contains(line, "is ready") {
		t.Fatalf("%s did not start: see its message above", program)
	}
	apns := &APNs{}
	text, _ := os.ReadFile(filepath.Join(folder, "simulator.json"))
	if err := json.Unmarshal(text, apns); err != nil {
		t.Fatal(err)
	}
	return apns
}

// Call calls the admin API: Call("GET", "/requests", "") is the journal.
func (apns *APNs) Call(method, path, body string) (*http.Response, error) {
	request, err := http.NewRequest(method, apns.AdminURL+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	return http.DefaultClient.Do(request)
}
