// A server that checks nothing: net/http with TLS and HTTP/2, every request is read and answered 200.
package main

import (
	"flag"
	"io"
	"log"
	"net/http"
)

func main() {
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	certificate := flag.String("certificate", "", "PEM file of the certificate")
	key := flag.String("key", "", "PEM file of its key")
	flag.Parse()
	answer := func(writer http.ResponseWriter, request *http.Request) {
		io.Copy(io.Discard, request.Body)
		writer.Header().Set("apns-id", request.Header.Get("apns-id"))
	}
	log.Fatal(http.ListenAndServeTLS(*address, *certificate, *key, http.HandlerFunc(answer)))
}
