import CarillonCore

/// The devices that an admin request selects.
///
/// Examples are `{"devices": ["a", "b"]}`, and `{"prefix": "phone-", "count": 1000}` for `phone-1` to `phone-1000`.
struct FleetSelection: Sendable, Hashable {
    var devices: [String]

    init(json members: [String: JSONValue]) throws(AdminProblem) {
        let limit = SimulatorLimits.devicesPerRequest
        if let list = members["devices"]?.arrayValue {
            guard members["prefix"] == nil, members["count"] == nil else {
                throw AdminProblem(400, "devices, or prefix and count: not both")
            }
            devices = list.compactMap(\.stringValue)
            guard devices.count == list.count else { throw AdminProblem(400, "devices is a list of ids") }
        } else if let prefix = members["prefix"]?.stringValue, let count = members["count"]?.intValue,
            (1...limit).contains(count)
        {
            devices = (1...count).map { "\(prefix)\($0)" }
        } else {
            throw AdminProblem(
                400, "say which devices: devices is a list of ids, or prefix and count (1 to \(limit))")
        }
        guard (1...limit).contains(devices.count) else {
            throw AdminProblem(400, "1 to \(limit) devices may be named in one request")
        }
    }
}
