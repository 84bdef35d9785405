import CarillonCore
import CarillonExplain
import Foundation

/// A request with everything that the inbox says of it: the answer and its remedy, and the push's effect on a phone.
struct PushReading {
    private static let responses =
        "https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns"

    private let event: SimulatorEvent
    private let record: RequestRecord
    private let phone: PayloadExplanation

    /// - Parameter event: the entry of a request.
    init(_ event: SimulatorEvent) {
        guard let record = event.request else { preconditionFailure("the entry is of no request") }
        self.event = event
        self.record = record
        phone = PayloadExplanation(
            of: record.payload, pushType: record.header("apns-push-type").flatMap(PushType.init(rawValue:)),
            priority: record.header("apns-priority").flatMap { Int($0) })
    }

    /// The request as a line of the list.
    var summary: JSONValue {
        var members: [String: JSONValue] = [
            "number": .int(Int64(event.number)), "at": .string(event.at.description),
            "outcome": .string(record.outcome.rawValue), "method": .string(record.method),
            "path": .string(record.path), "push_type": .string(phone.pushType.rawValue),
        ]
        members["token"] = record.deviceToken.map { .string($0.hex) }
        members["topic"] = record.header("apns-topic").map { .string($0) }
        members["notes"] = record.notes.isEmpty ? nil : .int(Int64(record.notes.count))
        let text = phone.shown.map { ($0.title, $0.body) } ?? sentText
        members["title"] = text.0.isEmpty ? nil : .string(text.0)
        members["body"] = text.1.isEmpty ? nil : .string(text.1)
        switch record.decision {
        case .accepted: members["status"] = 200
        case .rejected(let rejection):
            members["status"] = .int(Int64(rejection.status))
            members["reason"] = .string(rejection.reason.rawValue)
        case .failed(let fault): members["fault"] = fault.json
        }
        return .object(members)
    }

    /// Returns everything that is known of the request.
    ///
    /// - Parameter events: the later entries about the push.
    /// - Returns: the request in JSON.
    func detail(_ events: [SimulatorEvent]) -> JSONValue {
        .object([
            "number": .int(Int64(event.number)), "at": .string(event.at.description),
            "outcome": .string(record.outcome.rawValue), "request": event.json["request"] ?? .null,
            "body_text": .string(String(decoding: record.payload, as: UTF8.self)),
            "credential": credential, "answer": answer, "notes": .array(record.notes.map { .string($0) }),
            "events": .array(events.map(\.json)), "phone": phoneJSON,
        ])
    }

    /// The title and the text of a push that APNs refused, which no phone shows.
    private var sentText: (String, String) {
        guard let alert = (try? JSONValue(parsing: record.payload))?["aps"]?["alert"] else { return ("", "") }
        return (alert["title"]?.stringValue ?? "", alert.stringValue ?? alert["body"]?.stringValue ?? "")
    }

    private var credential: JSONValue {
        switch record.credential {
        case .none: ["kind": "none"]
        case .certificate(let topics): ["kind": "certificate", "topics": .array(topics.map { .string($0) })]
        case .token(let header, let claims): ["kind": "token", "header": header, "claims": claims]
        case .unreadable: ["kind": "unreadable"]
        }
    }

    // MARK: The answer

    private var answer: JSONValue {
        var members: [String: JSONValue] = ["apns_id": .string(record.apnsID), "source": .string(Self.responses)]
        switch record.decision {
        case .accepted:
            members["status"] = 200
            members["meaning"] = .string(
                "APNs has taken the request. No answer of Apple's says whether a push has arrived on the phone.")
        case .rejected(let rejection):
            members["status"] = .int(Int64(rejection.status))
            members["reason"] = .string(rejection.reason.rawValue)
            members["body"] = .string(rejection.body)
            members["check"] = .string(rejection.check.rawValue)
            members["detail"] = .string(rejection.detail)
            members["is_fault"] = .bool(rejection.check == .fault)
            members["meaning"] = .string(rejection.reason.meaning)
            members["remedy"] = .string(rejection.reason.remedy)
        case .failed(let fault):
            members["fault"] = fault.json
            members["is_fault"] = true
            members["meaning"] = .string(fault.meaning)
            members["remedy"] = .string(fault.remedy)
        }
        return .object(members)
    }

    // MARK: The phone

    private var phoneJSON: JSONValue {
        let text: JSONValue =
            phone.shown.map {
                ["title": .string($0.title), "subtitle": .string($0.subtitle), "body": .string($0.body)]
            } ?? .null
        return .object([
            "push_type": .string(phone.pushType.rawValue), "bytes": .int(Int64(phone.byteCount)),
            "byte_limit": .int(Int64(phone.byteLimit)), "text": text,
            "summary": .array(phone.summary.map { .string($0) }),
            "lines": .array(
                phone.lines.map { line in
                    [
                        "key": .string(line.key), "severity": .string(line.severity.rawValue),
                        "meaning": .string(line.meaning),
                    ]
                }),
        ])
    }
}

extension Fault {
    /// The fault as a sentence.
    fileprivate var meaning: String {
        switch self {
        case .reject: "The answer was ordered by the fault plan or a script."
        case .answer(let status, _, _): "The answer \(status) was ordered by the fault plan or a script."
        case .loseAnswer: "The push was taken, and its answer was lost on purpose."
        case .loseRequest: "The request was lost on purpose: nothing was delivered, and no answer was sent."
        case .reset(let code): "The stream was reset on purpose, with the HTTP/2 error code \(code)."
        case .cut: "The connection was cut on purpose, in the middle of the request."
        case .fallSilent: "The connection fell silent on purpose, as one that a router has forgotten."
        case .goAway: "The connection ended with GOAWAY on purpose, and this request was not processed."
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .reject, .answer: "Go by the status: 4xx asks for a change, 429 and 5xx for a later attempt."
        case .loseAnswer, .loseRequest:
            "Stop waiting after some time, and send the push again with this apns-id: whether it arrived is unknown."
        case .reset(let code):
            code == 7
                ? "Send the push again: REFUSED_STREAM says that it was not processed (RFC 9113, section 8.7)."
                : "Send the push again with this apns-id: whether it was processed is unknown."
        case .cut, .fallSilent:
            "Connect again, after a pause that grows, and send the push again with this apns-id."
        case .goAway:
            "Send the push again over another connection: GOAWAY says that it was not processed (RFC 9113, section 6.8)."
        }
    }
}
