import CarillonCore
import Foundation

/// The measured figures of simulated phones, each with its limit.
struct PhoneBenchReport: Sendable {
    struct Figure: Sendable {
        let name: String
        /// The key of this figure in the JSON report; the key ends with the unit.
        let key: String
        let value: Double
        /// The largest allowed value; `nil` for no limit.
        let limit: Double?
        let unit: String

        var isWithinLimit: Bool { limit.map { value <= $0 } ?? true }
    }

    let phones: Int
    let pushes: Int
    let figures: [Figure]

    var isWithinLimits: Bool { figures.allSatisfy(\.isWithinLimit) }

    var table: String {
        let rows = figures.map { figure in
            let limit = figure.limit.map { String(format: "%.0f %@", $0, figure.unit) } ?? ""
            let sign = figure.limit == nil ? " " : figure.isWithinLimit ? "✔" : "✘"
            return "\(sign) \(figure.name.padded(to: 58)) "
                + String(format: "%8.2f %@", figure.value, figure.unit).padded(to: 13)
                + (limit.isEmpty ? "" : "at most \(limit)")
        }
        return (["\(phones) phones, \(pushes) pushes of each kind"] + rows).joined(separator: "\n")
    }

    var json: JSONValue {
        let values = figures.map { ($0.key, JSONValue.double($0.value)) }
        let limits = figures.compactMap { figure in figure.limit.map { (figure.key, JSONValue.double($0)) } }
        return [
            "phones": .int(Int64(phones)), "pushes": .int(Int64(pushes)), "is_within_limits": .bool(isWithinLimits),
            "figures": .object(Dictionary(values) { first, _ in first }),
            "limits": .object(Dictionary(limits) { first, _ in first }),
        ]
    }
}

extension String {
    fileprivate func padded(to length: Int) -> String {
        padding(toLength: max(length, count), withPad: " ", startingAt: 0)
    }
}
