import CarillonCore
import CarillonSimulator

/// The h2 library as a sender that shows its frames, see frames.py.
struct FrameSender {
    enum Step {
        case send([ForeignSender.Request])
        /// Heads only, until ``finish``.
        case open([ForeignSender.Request])
        case finish
        case raw(String)
        case reset(Int)
        /// The whole connection, by TCP.
        case cut
        case awaitSettings
        case awaitStreams
        case awaitClosed
        case awaitGoAway
        case await(ended: Int)

        var json: JSONValue {
            switch self {
            case .send(let requests): ["send": .array(requests.map(\.frameJSON))]
            case .open(let requests): ["open": .array(requests.map(\.frameJSON))]
            case .finish: ["finish": true]
            case .raw(let hex): ["raw": .string(hex)]
            case .reset(let stream): ["reset": .int(Int64(stream))]
            case .cut: ["cut": true]
            case .awaitSettings: ["await": "settings"]
            case .awaitStreams: ["await": "streams"]
            case .awaitClosed: ["await": "closed"]
            case .awaitGoAway: ["await": "goaway"]
            case .await(let count): ["await": .int(Int64(count))]
            }
        }
    }

    struct Transcript {
        var events: [JSONValue]

        func all(_ type: String) -> [JSONValue] { events.filter { $0["type"]?.stringValue == type } }

        /// The values of one SETTINGS parameter, in the order in which they came.
        func setting(_ identifier: Int) -> [Int] {
            all("settings").compactMap { $0["values"]?["\(identifier)"]?.intValue }
        }

        /// The status of each stream that was answered.
        var statuses: [Int: Int] {
            Dictionary(
                all("headers").compactMap { event in
                    guard let stream = event["stream"]?.intValue,
                        let status = event["headers"]?[":status"]?.stringValue.flatMap({ Int($0) })
                    else { return nil }
                    return (stream, status)
                }, uniquingKeysWith: { $1 })
        }

        /// The error code of each stream that was reset.
        var resets: [Int: Int] {
            Dictionary(
                all("reset").compactMap { event in
                    guard let stream = event["stream"]?.intValue, let code = event["code"]?.intValue else { return nil }
                    return (stream, code)
                }, uniquingKeysWith: { $1 })
        }
    }

    var fixture: SimulatorFixture
    var alpn = true

    func run(_ steps: [Step]) async throws -> Transcript {
        let input: JSONValue = [
            "host": .string(fixture.simulator.host), "port": .int(Int64(fixture.simulator.port)),
            "ca": .string(fixture.simulator.caCertificatePEM), "alpn": .bool(alpn),
            "authorization": .string(try await ForeignSender(fixture: fixture).bearer()),
            "steps": .array(steps.map(\.json)),
        ]
        return Transcript(events: try await ForeignProgram.python("frames.py", input: input).arrayValue ?? [])
    }
}

extension ForeignSender.Request {
    fileprivate var frameJSON: JSONValue {
        [
            "method": .string(method), "path": .string(path), "body": .string(body), "authorized": .bool(token != nil),
            "headers": .array(headers.map { [.string($0.0), .string($0.1)] }),
        ]
    }
}
