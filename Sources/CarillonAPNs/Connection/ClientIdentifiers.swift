/// The number of a send of one client, from 1.
typealias RequestID = Int
/// The number of a connection of one client, from 1.
typealias ConnectionID = Int
/// An HTTP/2 stream id: odd, and rising within a connection.
typealias StreamID = Int
