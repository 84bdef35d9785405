import CarillonCore

/// One step of the scenario: its title, and the code that acts and checks.
struct DemoStep {
    let title: String
    let run: @MainActor (DemoEnvironment) async throws -> Void

    init(_ title: String, _ run: @escaping @MainActor (DemoEnvironment) async throws -> Void) {
        self.title = title
        self.run = run
    }
}

/// The result of a step, as `carillon demo` prints it.
struct DemoStepReport: Sendable {
    let number: Int
    let title: String
    /// The sentences of the checks that passed.
    let observed: [String]
    /// The reason why the step failed; `nil` if it passed.
    let failure: String?
    let duration: Duration

    var json: JSONValue {
        var members: [String: JSONValue] = [
            "step": .int(Int64(number)),
            "title": .string(title),
            "ok": .bool(failure == nil),
            "observed": .array(observed.map(JSONValue.string)),
            "milliseconds": .int(duration.wholeMilliseconds),
        ]
        members["failure"] = failure.map(JSONValue.string)
        return .object(members)
    }

    var text: String {
        let seconds = Double(duration.wholeMilliseconds) / 1000
        let lines =
            ["\(failure == nil ? "✔" : "✘") \(number). \(title)  (\(seconds) s)"]
            + observed.map { "     · \($0)" }
            + (failure.map { ["     ✘ \($0)"] } ?? [])
        return lines.joined(separator: "\n")
    }
}
