/// An id that a client gives to each of its requests.
typealias RequestID = Int
/// The number of a connection within its client, from 1.
typealias ConnectionID = Int
/// An HTTP/2 stream id: odd, and increasing within a connection.
typealias StreamID = Int
