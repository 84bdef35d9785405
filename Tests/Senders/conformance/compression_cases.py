"""HPACK: RFC 7541."""

from expectations import *
from table import *
from wire import *

# RFC 7541: HPACK
PATH = block(request(without=[":method"]))
# A literal field without indexing up to its value: the name x-test in Huffman code.
NAME = b"\x00\x85\xf2\xb2\x4a\x84\xff"
case("7541 2.3.3", "an index beyond both tables", goaway(COMPRESSION), headers(1, raw=integer(70, 7, 0x80)))
case(
    "7541 4.2",
    "a size update after a field",
    goaway(COMPRESSION),
    headers(1, raw=block(request()) + integer(1, 5, 0x20)),
)
case("7541 5.1", "an integer without end", goaway(COMPRESSION), headers(1, raw=b"\xff" + b"\xff" * 12))
case("7541 5.2", "a string longer than the block", goaway(COMPRESSION), headers(1, raw=b"\x00\x05ab"))
case(
    "7541 5.2",
    "Huffman padding of more than 7 bits",
    goaway(COMPRESSION),
    headers(1, raw=block(request()) + NAME + b"\x84\x49\x50\x9f\xff"),
)
case(
    "7541 5.2",
    "Huffman padding of zeros",
    goaway(COMPRESSION),
    headers(1, raw=block(request()) + NAME + b"\x83\x49\x50\x90"),
)
case(
    "7541 5.2",
    "Huffman coding with EOS",
    goaway(COMPRESSION),
    headers(1, raw=block(request()) + NAME + b"\x87\x49\x51\x7f\xff\xff\xff\xff"),
)
case("7541 6.1", "an indexed field of the static table", answered(1), headers(1, raw=b"\x83" + PATH))
case("7541 6.1", "index 0", goaway(COMPRESSION), headers(1, raw=b"\x80"))
case(
    "7541 6.2.1",
    "literals with indexing, and their index",
    answered(1, 3),
    headers(1, raw=b"\x83" + PATH + b"\x40" + string(b"x-a") + string(b"1")),
    ended(1),
    headers(3, raw=b"\x83" + PATH + b"\xbe"),
)
case(
    "7541 6.2.2",
    "literals without indexing",
    answered(1),
    headers(1, raw=b"\x83" + PATH + b"\x00" + string(b"x-a") + string(b"1")),
)
case(
    "7541 6.2.3",
    "literals never indexed",
    answered(1),
    headers(1, raw=b"\x83" + PATH + b"\x10" + string(b"x-a") + string(b"1")),
)
case("7541 6.2", "a Huffman-coded literal", answered(1), headers(1, raw=b"\x83" + PATH + NAME + b"\x83\x49\x50\x9f"))
case("7541 6.3", "a size update first", answered(1), headers(1, raw=integer(0, 5, 0x20) + block(request())))
case(
    "7541 6.3",
    "two size updates first",
    answered(1),
    headers(1, raw=integer(0, 5, 0x20) + integer(4096, 5, 0x20) + block(request())),
)
case(
    "7541 6.3",
    "a size update beyond SETTINGS_HEADER_TABLE_SIZE",
    goaway(COMPRESSION),
    headers(1, raw=integer(4097, 5, 0x20) + block(request())),
)
