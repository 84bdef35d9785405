import CarillonCore
import Foundation

extension APNsRecording {
    private static let version = 1

    /// Returns the first line of a recording.
    ///
    /// - Parameters:
    ///   - upstream: the recorded APNs, as host and port.
    ///   - now: the time of the start.
    /// - Returns: the line.
    package static func head(upstream: String, at now: Timestamp) -> JSONValue {
        [
            "carillon_recording": .int(Int64(version)), "upstream": .string(upstream),
            "started": .string(now.description),
        ]
    }

    /// Returns the last line of a recording with this number of requests.
    package static func end(requestCount: Int) -> JSONValue { ["end": ["requests": .int(Int64(requestCount))]] }

    /// Reads a recording.
    ///
    /// - Throws: ``RecordingError`` with the line that is wrong, or after which the recording is cut off.
    package init(reading text: String) throws(RecordingError) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count <= SimulatorLimits.recordedLines else {
            throw RecordingError(
                line: SimulatorLimits.recordedLines + 1, problem: "more than \(SimulatorLimits.recordedLines) lines")
        }
        var (entries, isComplete) = ([Entry](), false)
        for (index, line) in lines.enumerated() {
            let number = index + 1
            guard !isComplete else { throw RecordingError(line: number, problem: "there is a line after the end") }
            let isLast = number == lines.count
            guard let value = try? JSONValue(parsing: String(line)), value.members != nil else {
                throw RecordingError(
                    line: number,
                    problem: isLast ? "the recording is cut off in this line" : "it is no JSON object")
            }
            if index == 0 {
                try Self.checkHead(value)
            } else if let end = value["end"] {
                let count = entries.count { if case .exchange = $0 { true } else { false } }
                guard end["requests"]?.intValue == count else {
                    throw RecordingError(
                        line: number,
                        problem: "the end counts other requests than the \(count) before it: lines are missing")
                }
                isComplete = true
            } else {
                entries.append(try Entry(value, line: number))
            }
        }
        guard isComplete else {
            throw RecordingError(
                line: max(1, lines.count),
                problem: "the recording is cut off after this line: its last line would be {\"end\": {\"requests\": …}}"
            )
        }
        self.init(entries: entries)
    }

    private static func checkHead(_ value: JSONValue) throws(RecordingError) {
        switch value["carillon_recording"]?.intValue {
        case version: break
        case let other?:
            throw RecordingError(
                line: 1, problem: "a recording of version \(other); this program reads version \(version)")
        case nil: throw RecordingError(line: 1, problem: "this is no recording of carillon record")
        }
    }
}

extension APNsRecording.Entry {
    /// The entry as a line of the recording.
    package var json: JSONValue {
        switch self {
        case .exchange(let exchange): exchange.json
        case .goAway(let goAway):
            [
                "connection": .int(Int64(goAway.connection)), "at_ms": .int(goAway.at.wholeMilliseconds),
                "goaway": ["reason": goAway.reason.map { .string($0) } ?? .null],
            ]
        }
    }

    fileprivate init(_ value: JSONValue, line: Int) throws(RecordingError) {
        guard let connection = value["connection"]?.intValue, connection > 0, let at = value["at_ms"]?.intValue, at >= 0
        else {
            throw RecordingError(line: line, problem: "connection or at_ms is missing, or is no whole number")
        }
        if let goAway = value["goaway"] {
            self = .goAway(
                APNsRecording.GoAway(
                    connection: connection, at: .milliseconds(at), reason: goAway["reason"]?.stringValue))
            return
        }
        guard let request = value["request"], let method = request["method"]?.stringValue,
            let path = request["path"]?.stringValue
        else { throw RecordingError(line: line, problem: "the request has no method or no path") }
        guard let ending = value["answer"], let after = ending["after_ms"]?.intValue, after >= 0 else {
            throw RecordingError(line: line, problem: "the answer has no after_ms, which is a whole number")
        }
        self = .exchange(
            APNsRecording.Exchange(
                connection: connection, at: .milliseconds(at), method: method, path: path,
                token: request["token"]?.stringValue, headers: Self.headers(request["headers"]),
                payload: request["payload"], ending: try APNsRecording.Ending(ending, line: line),
                after: .milliseconds(after)))
    }

    fileprivate static func headers(_ value: JSONValue?) -> [RequestRecord.Header] {
        (value?.arrayValue ?? []).compactMap { pair in
            guard let parts = pair.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let value = parts[1].stringValue
            else { return nil }
            return RequestRecord.Header(name: name, value: value)
        }
    }
}

extension APNsRecording.Exchange {
    fileprivate var json: JSONValue {
        var request: [String: JSONValue] = [
            "method": .string(method), "path": .string(path), "headers": Self.json(headers),
        ]
        request["token"] = token.map { .string($0) }
        request["payload"] = payload
        var answer: [String: JSONValue] = ["after_ms": .int(after.wholeMilliseconds)]
        switch ending {
        case .answered(let status, let headers, let body):
            answer["status"] = .int(Int64(status))
            answer["headers"] = Self.json(headers)
            answer["body"] = .string(body)
        case .reset(let code): answer["reset"] = .int(Int64(code))
        case .abandoned: answer["abandoned"] = true
        case .cut: answer["cut"] = true
        }
        return .object([
            "connection": .int(Int64(connection)), "at_ms": .int(at.wholeMilliseconds), "request": .object(request),
            "answer": .object(answer),
        ])
    }

    private static func json(_ headers: [RequestRecord.Header]) -> JSONValue {
        .array(headers.map { [.string($0.name), .string($0.value)] })
    }
}

extension APNsRecording.Ending {
    fileprivate init(_ value: JSONValue, line: Int) throws(RecordingError) {
        if let status = value["status"]?.intValue {
            guard (200...599).contains(status) else {
                throw RecordingError(line: line, problem: "the status \(status) is not between 200 and 599")
            }
            self = .answered(
                status: status, headers: APNsRecording.Entry.headers(value["headers"]),
                body: value["body"]?.stringValue ?? "")
        } else if let code = value["reset"]?.intValue.flatMap({ UInt32(exactly: $0) }) {
            self = .reset(code: code)
        } else if value["abandoned"] == true {
            self = .abandoned
        } else if value["cut"] == true {
            self = .cut
        } else {
            throw RecordingError(line: line, problem: "the answer has neither status, reset, abandoned nor cut")
        }
    }
}
