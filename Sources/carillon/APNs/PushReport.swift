import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// What came of one push, for a person and for a script.
struct PushReport {
    let exitCode: ExitCode
    private let lines: [String]
    private let json: [String: JSONValue]

    init(_ outcome: APNsOutcome) {
        switch outcome {
        case .accepted(let apnsID, let uniqueID):
            exitCode = .success
            lines =
                ["200 accepted", "apns-id: \(apnsID.uuidString.lowercased())"]
                + (uniqueID.map { ["apns-unique-id: \($0)"] } ?? [])
            json = [
                "status": 200, "apns_id": .string(apnsID.uuidString.lowercased()),
                "apns_unique_id": uniqueID.map(JSONValue.string) ?? .null,
            ]
        case .rejected(let rejection):
            exitCode = .failure
            lines =
                ["\(rejection.status) \(rejection.reason)", "apns-id: \(rejection.apnsID.uuidString.lowercased())"]
                + (rejection.timestamp.map { ["not valid since: \($0)"] } ?? []) + [
                    "what to do: \(rejection.remedy.advice)"
                ]
            json = [
                "status": .int(Int64(rejection.status)), "reason": .string(rejection.reason.rawValue),
                "apns_id": .string(rejection.apnsID.uuidString.lowercased()),
                "timestamp": rejection.timestamp.map { .string($0.description) } ?? .null,
                "remedy": .string(rejection.remedy.advice),
            ]
        }
    }

    init(_ error: APNsError) {
        exitCode = ExitCode(2)
        lines = ["\(error.code): \(error.message)", "what to do: \(error.advice)"]
        json = [
            "status": .null, "error": .string(error.code.description), "message": .string(error.message),
            "may_have_arrived": .bool(error.mayHaveArrived), "remedy": .string(error.advice),
        ]
    }

    func printed(asJSON: Bool) throws -> String {
        asJSON ? String(decoding: try JSONValue.object(json).encoded(), as: UTF8.self) : lines.joined(separator: "\n")
    }
}

extension APNsRemedy {
    /// The remedy as a sentence to a person with one push in hand.
    var advice: String {
        switch self {
        case .giveUp: "The request is wrong as it is: correct it before you send again."
        case .removeDeviceToken:
            "The app was deleted or has a new token: stop sending to this one, unless it was registered again since."
        case .quarantineDeviceToken:
            "Check that token, topic and environment belong together: a token from Xcode works in the sandbox only."
        case .fixCredential:
            "Check the key or certificate: key id, team id, and whether it may send for this topic and environment."
        case .retryWithNewToken: "Send again: a new provider token is made."
        case .replaceConnection: "Send again on a new connection: this one has had too many provider tokens."
        case .slowDown: "Too many pushes to this one device: wait before the next one to it."
        case .retryLater: "APNs is in trouble: send again later, with growing pauses."
        }
    }
}
