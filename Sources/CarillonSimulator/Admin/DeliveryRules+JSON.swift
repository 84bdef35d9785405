import CarillonCore

extension DeliveryRules {
    /// Parses the rules of store-and-forward from the members of a JSON object.
    ///
    /// - Throws: ``AdminProblem`` for an unknown key, or a value out of range.
    init(json members: [String: JSONValue]) throws(AdminProblem) {
        self.init()
        for (key, value) in members {
            switch key {
            case "storage":
                guard let policy = value.stringValue.flatMap(StoragePolicy.init(rawValue:)) else {
                    throw AdminProblem(400, "storage is one or per-collapse-id")
                }
                storage = policy
            case "expiry":
                guard let policy = value.stringValue.flatMap(Expiry.init(rawValue:)) else {
                    throw AdminProblem(400, "expiry is strict or late")
                }
                expiry = policy
            case "background_budget": backgroundBudget = try Self.budget(value, key)
            case "request_budget": requestBudget = try Self.budget(value, key)
            case "unregistered_delay_seconds":
                guard let seconds = value.intValue, (0...SimulatorLimits.seconds).contains(seconds) else {
                    throw AdminProblem(400, "\(key) is a whole number from 0 to \(SimulatorLimits.seconds)")
                }
                unregisteredDelay = .seconds(seconds)
            default: throw AdminProblem(400, "the delivery rules have no \(key); GET /delivery shows what they have")
            }
        }
    }

    private static func budget(_ json: JSONValue, _ key: String) throws(AdminProblem) -> Budget? {
        if json == .null { return nil }
        let limit = SimulatorLimits.seconds
        guard let count = json["count"]?.intValue, let seconds = json["per_seconds"]?.intValue, count > 0,
            (1...limit).contains(seconds)
        else { throw AdminProblem(400, "\(key) is {\"count\": …, \"per_seconds\": 1–\(limit)} or null") }
        try json.checkMembers("count", "per_seconds", in: key)
        return Budget(count: count, per: .seconds(seconds))
    }

    var json: JSONValue {
        func json(_ budget: Budget?) -> JSONValue {
            budget.map {
                ["count": .int(Int64($0.count)), "per_seconds": .int($0.window.wholeMilliseconds / 1000)]
            } ?? .null
        }
        return [
            "storage": .string(storage.rawValue), "expiry": .string(expiry.rawValue),
            "background_budget": json(backgroundBudget), "request_budget": json(requestBudget),
            "unregistered_delay_seconds": .int(unregisteredDelay.wholeMilliseconds / 1000),
        ]
    }
}
