import CarillonCore

extension DeviceFleet.Summary {
    var json: JSONValue {
        [
            "device": .string(device), "online": .bool(isOnline), "power": .string(power.rawValue),
            "stored": .int(Int64(storedCount)), "tally": tally.json,
            "tokens": .array(
                tokens.map {
                    [
                        "token": .string($0.token.hex), "topic": .string($0.bundleID),
                        "environment": .string($0.environment.rawValue),
                    ]
                }),
        ]
    }

    /// The summary in JSON, with every waiting push and the cause of its wait.
    var detailedJSON: JSONValue {
        var members = json.objectValue ?? [:]
        members["waiting"] = .array(
            waiting.map {
                [
                    "push": $0.push.json, "cause": .string($0.cause.rawValue), "until": .string($0.until.description),
                ]
            })
        return .object(members)
    }
}

extension DeliveryTally {
    fileprivate var json: JSONValue {
        [
            "delivered": .int(Int64(delivered)), "delivered_late": .int(Int64(deliveredLate)),
            "stored": .counts(stored), "discarded": .counts(discarded),
        ]
    }
}

extension DeviceFleet.Census {
    var json: JSONValue {
        [
            "devices": .int(Int64(devices)), "online": .int(Int64(online)), "waiting": .int(Int64(waiting)),
            "delivered": .int(Int64(delivered)), "reached": .int(Int64(reached)), "fewest": .int(Int64(fewest)),
            "most": .int(Int64(most)), "discarded": .counts(discarded),
        ]
    }
}

extension JSONValue {
    fileprivate static func counts(_ values: [some RawRepresentable<String> & Hashable: Int]) -> JSONValue {
        .object(Dictionary(values.map { ($0.key.rawValue, .int(Int64($0.value))) }, uniquingKeysWith: { $1 }))
    }
}
