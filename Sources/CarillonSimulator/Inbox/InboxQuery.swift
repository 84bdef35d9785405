import CarillonCore
import Foundation

/// The requests that a reader of the inbox wants: which, how many, and from where on.
struct InboxQuery: Sendable {
    /// The outcomes by which requests can be chosen.
    enum Outcome: String, CaseIterable {
        case accepted, refused, failed
    }

    /// The number of the journal entry before which to begin; `nil` for the newest.
    var before: Int?
    /// The greatest number of requests to return.
    var limit = SimulatorLimits.inboxPageDefault
    var outcome: Outcome?
    /// The text to search for; `nil` to take every request.
    var term: SearchTerm?

    /// Reads the parameters `before`, `limit`, `outcome` and `search`.
    ///
    /// - Throws: ``AdminProblem`` 400 that says what would have been right.
    init(_ request: AdminRequest) throws(AdminProblem) {
        if let text = request.parameter("before") {
            guard let number = Int(text), number > 0 else {
                throw AdminProblem(400, "before is the number of a request, such as the member older of a page")
            }
            before = number
        }
        if let text = request.parameter("limit") {
            let range = SimulatorLimits.inboxPage
            guard let number = Int(text), range.contains(number) else {
                throw AdminProblem(400, "limit is a number from \(range.lowerBound) to \(range.upperBound)")
            }
            limit = number
        }
        if let text = request.parameter("outcome") {
            guard let known = Outcome(rawValue: text) else {
                throw AdminProblem(400, "outcome is \(Outcome.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            outcome = known
        }
        if let text = request.parameter("search"), !text.isEmpty {
            guard text.utf8.count <= SimulatorLimits.inboxSearchByteLimit else {
                throw AdminProblem(400, "search has more than \(SimulatorLimits.inboxSearchByteLimit) bytes")
            }
            term = SearchTerm(text)
        }
    }

    func takes(_ record: RequestRecord) -> Bool {
        if let outcome, outcome != record.outcome { return false }
        return term?.isIn(record) ?? true
    }
}

extension RequestRecord {
    var outcome: InboxQuery.Outcome {
        switch decision {
        case .accepted: .accepted
        case .rejected: .refused
        case .failed: .failed
        }
    }
}

/// A text to search for; ASCII letters match in either case.
struct SearchTerm: Sendable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = text.utf8.map(Self.folded) }

    /// Returns whether the token, a header, the payload, the answer or a remark of a request has the text.
    func isIn(_ record: RequestRecord) -> Bool {
        if let token = record.deviceToken, isIn(token.hex) { return true }
        if isIn(record.apnsID) || isIn(record.path) { return true }
        if record.headers.contains(where: { isIn($0.value) }) || record.notes.contains(where: isIn) { return true }
        if case .rejected(let rejection) = record.decision,
            isIn(rejection.reason.rawValue) || isIn(rejection.detail)
        {
            return true
        }
        return isIn(payload: record.payload)
    }

    private func isIn(_ text: String) -> Bool { isIn(Array(text.utf8)) }

    /// A payload may spell letters as `\u00e9`, so one with such escapes is also searched as it reads.
    private func isIn(payload: Data) -> Bool {
        if isIn([UInt8](payload)) { return true }
        guard Self.escape.isIn([UInt8](payload)), let value = try? JSONValue(parsing: payload),
            let plain = try? value.encoded()
        else { return false }
        return isIn([UInt8](plain))
    }

    private func isIn(_ text: [UInt8]) -> Bool {
        guard let first = bytes.first, text.count >= bytes.count else { return false }
        return (0...text.count - bytes.count).contains { start in
            Self.folded(text[start]) == first
                && bytes.indices.allSatisfy { Self.folded(text[start + $0]) == bytes[$0] }
        }
    }

    private static let escape = SearchTerm("\\u")

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
