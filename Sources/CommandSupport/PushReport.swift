import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// The result of one push, which a command prints as text or JSON.
package struct PushReport {
    /// The exit status for a push that got no answer, so that it is unknown whether APNs has it.
    ///
    /// If the push is sent again, the device may show it twice.
    package static let doubt = ExitCode(2)

    package let exitCode: ExitCode
    private let lines: [String]
    private let json: [String: JSONValue]

    /// Makes the report about a push that APNs has accepted or rejected.
    ///
    /// - Parameters:
    ///   - outcome: APNs' answer.
    ///   - topic: the push's topic, for advice about a rejection that concerns the topic. With `nil`, the default, there is no
    ///     such advice.
    package init(_ outcome: APNsOutcome, topic: PushTopic? = nil) {
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
            let advice = topic?.advice(on: rejection) ?? rejection.advice
            lines =
                ["\(rejection.status) \(rejection.reason)", "apns-id: \(rejection.apnsID.uuidString.lowercased())"]
                + (rejection.timestamp.map { ["token not valid since: \($0)"] } ?? []) + [
                    "what to do: \(advice)"
                ]
            json = [
                "status": .int(Int64(rejection.status)), "reason": .string(rejection.reason.rawValue),
                "apns_id": .string(rejection.apnsID.uuidString.lowercased()),
                "timestamp": rejection.timestamp.map { .string($0.description) } ?? .null,
                "remedy": .string(advice),
            ]
        }
    }

    package init(_ error: APNsError) {
        exitCode = error.mayHaveArrived ? Self.doubt : .failure
        lines = ["\(error.code): \(error.message)", "what to do: \(error.commandLineAdvice)"]
        json = [
            "status": .null, "error": .string(error.code.description), "message": .string(error.message),
            "may_have_arrived": .bool(error.mayHaveArrived), "remedy": .string(error.commandLineAdvice),
        ]
    }

    package func printed(asJSON: Bool) throws -> String {
        asJSON ? String(decoding: try JSONValue.object(json).encoded(), as: UTF8.self) : lines.joined(separator: "\n")
    }
}
