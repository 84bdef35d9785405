// Go's net/http as somebody else's APNs: server.go PORT MODE CERTIFICATE KEY FILE. Appends the apns-id of each request that
// it has processed to FILE.
//
// MODE: plain; goaway (after each 47 requests); half (each tenth answer breaks off after its head); cut (TCP ends at each
// hundredth request, without TLS' goodbye).
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
)

type connectionKey struct{}

func main() {
	port, mode, certificate, key := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	file, err := os.OpenFile(os.Args[5], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	var lock sync.Mutex
	count := 0
	handler := func(writer http.ResponseWriter, request *http.Request) {
		io.Copy(io.Discard, request.Body)
		lock.Lock()
		count++
		number := count
		fmt.Fprintln(file, request.Header.Get("apns-id"))
		lock.Unlock()
		writer.Header().Set("apns-id", request.Header.Get("apns-id"))
		switch {
		case mode == "goaway" && number%47 == 0:
			// What Go's server makes a GOAWAY of.
			writer.Header().Set("connection", "close")
		case mode == "half" && number%10 == 0:
			writer.WriteHeader(200)
			writer.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case mode == "cut" && number%100 == 0:
			request.Context().Value(connectionKey{}).(net.Conn).Close()
		}
	}
	server := &http.Server{
		Addr: "127.0.0.1:" + port, Handler: http.HandlerFunc(handler), ErrorLog: log.New(io.Discard, "", 0),
		ConnContext: func(parent context.Context, connection net.Conn) context.Context {
			return context.WithValue(parent, connectionKey{}, connection.(*tls.Conn).NetConn())
		},
	}
	log.Fatal(server.ListenAndServeTLS(certificate, key))
}
