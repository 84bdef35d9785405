import CarillonCore
import Foundation

/// Requests of a sender with APNs' answers and their times, without secrets, as `carillon record` writes them.
///
/// A recording is a text with one JSON object a line: the head, the entries in the order of their ends, and the end. The end counts the
/// requests, so that a recording that was cut off is found.
package struct APNsRecording: Sendable, Hashable {
    /// One entry of a recording.
    package enum Entry: Sendable, Hashable {
        case exchange(Exchange)
        case goAway(GoAway)
    }

    /// A request and its end.
    package struct Exchange: Sendable, Hashable {
        /// The number of the sender's connection, counted from 1.
        package var connection: Int
        /// The time of the complete request, since the recording's start.
        package var at: Duration
        package var method: String
        /// The path; of `/3/device/<token>`, the part before the token.
        package var path: String
        /// The device token's pseudonym in hexadecimal; `nil` for a path without a token.
        package var token: String?
        /// The headers of APNs, and `user-agent`; never `authorization`.
        package var headers: [RequestRecord.Header]
        /// The payload: JSON, or `{"base64": …}`; `nil` if the recording leaves payloads out.
        package var payload: JSONValue?
        package var ending: Ending
        /// The time from the request to its end.
        package var after: Duration
    }

    /// The end of a request.
    package enum Ending: Sendable, Hashable {
        case answered(status: Int, headers: [RequestRecord.Header], body: String)
        /// APNs reset the stream with this HTTP/2 error code.
        case reset(code: UInt32)
        /// The sender reset the stream, or gave the connection up.
        case abandoned
        /// APNs ended the connection before it answered.
        case cut
    }

    /// A GOAWAY of APNs.
    package struct GoAway: Sendable, Hashable {
        package var connection: Int
        package var at: Duration
        /// The reason in the debug data, in Apple's spelling; `nil` for none.
        package var reason: String?
    }

    package var entries: [Entry] = []

    package init(entries: [Entry] = []) { self.entries = entries }

    /// The exchanges in the order of their requests.
    package var exchanges: [Exchange] {
        entries.compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
            .enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
    }

    /// The GOAWAYs in their order.
    package var goAways: [GoAway] {
        entries.compactMap { if case .goAway(let goAway) = $0 { goAway } else { nil } }
    }
}

/// An error in a recording, with its line.
package struct RecordingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the line, counted from 1.
    package let line: Int
    package let problem: String

    package var description: String { "line \(line): \(problem)" }
}
