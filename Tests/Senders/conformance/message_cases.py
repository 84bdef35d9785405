"""HTTP in HTTP/2: RFC 9113 section 8."""

from expectations import *
from table import *
from wire import *

# 8.1 Message framing, 8.2 fields, 8.3 control data
case("8.1", "GET", answered(1), headers(1, request("GET")))
case(
    "8.1",
    "HEAD is answered without a body",
    reached(lambda connection: 1 in connection.ended and 1 not in connection.data, "no body"),
    headers(1, request("HEAD")),
)
case(
    "8.1",
    "POST with trailers",
    answered(1),
    headers(1, end=False),
    data(1, end=False),
    headers(1, [("x-trailer", "1")]),
)
case(
    "8.1",
    "a second HEADERS without END_STREAM",
    stream_error(1, PROTOCOL),
    headers(1, end=False),
    data(1, end=False),
    headers(1, [("x-trailer", "1")], end=False),
)
case(
    "8.1.1",
    "content-length and one DATA that differ",
    stream_error(1, PROTOCOL),
    headers(1, request(more=[("content-length", "1")]), end=False),
    data(1, b"test"),
)
case(
    "8.1.1",
    "content-length and the sum of two DATA that differ",
    stream_error(1, PROTOCOL),
    headers(1, request(more=[("content-length", "5")]), end=False),
    data(1, b"te", False),
    data(1, b"st"),
)
case(
    "8.1.1",
    "content-length without any DATA",
    stream_error(1, PROTOCOL),
    headers(1, request(more=[("content-length", "5")])),
)


malformed("8.2", "a field name with a capital letter", request(more=[("X-Test", "1")]))
malformed("8.2.1", "a field name with a colon", request(more=[("x:test", "1")]))
# SwiftNIO's HPACK decoder refuses it before anybody can see which message is malformed.
case("8.2.1", "an empty field name", goaway(PROTOCOL, COMPRESSION), headers(1, request(more=[("", "1")])))
malformed("8.2.1", "a field name with a space", request(more=[("x test", "1")]))
malformed("8.2.1", "a field value with a line feed", request(more=[("x-test", "1\n2")]))
malformed("8.2.1", "a field value with NUL", request(more=[("x-test", "1\x002")]))
malformed("8.2.1", "a field value that begins with a space", request(more=[("x-test", " 1")]))
malformed("8.2.1", "a field value that ends with a tab", request(more=[("x-test", "1\t")]))
malformed("8.2.2", "connection: keep-alive", request(more=[("connection", "keep-alive")]))
malformed("8.2.2", "transfer-encoding: chunked", request(more=[("transfer-encoding", "chunked")]))
malformed("8.2.2", "TE other than trailers", request(more=[("te", "trailers, deflate")]))
case("8.2.2", "TE: trailers is taken", answered(1), headers(1, request(more=[("te", "trailers")])))
malformed("8.3", "an unknown pseudo-header", request(more=[(":test", "1")]))
malformed("8.3", "a pseudo-header of responses", request(more=[(":status", "200")]))
malformed("8.3", "a pseudo-header after a regular field", [("x-test", "1")] + request())
case(
    "8.3",
    "a pseudo-header in trailers",
    stream_error(1, PROTOCOL),
    headers(1, end=False),
    headers(1, [(":method", "POST")]),
)
malformed("8.3.1", "an empty :path", request(path=""))
malformed("8.3.1", "no :method", request(without=[":method"]))
malformed("8.3.1", "no :scheme", request(without=[":scheme"]))
malformed("8.3.1", "no :path", request(without=[":path"]))
malformed("8.3.1", ":method twice", [(":method", "POST")] + request())
malformed("8.3.1", ":scheme twice", [(":scheme", "https")] + request())
malformed("8.3.1", ":path twice", [(":path", "/")] + request())
