import CarillonCore
import NIOHTTP1

/// Answers requests about devices and their tokens.
extension AdminAPI {
    func devices(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        guard request.path.count > 1 else {
            return .json(.array(simulator.devices.summaries().map(\.json)))
        }
        let device = request.path[1]
        switch (request.method, request.path.count > 2 ? request.path[2] : "") {
        case (.GET, ""):
            guard let summary = simulator.devices.summary(of: device) else {
                throw AdminProblem(404, "there is no device \(device); GET /devices lists them")
            }
            return .json(summary.detailedJSON)
        case (.POST, "tokens"):
            let members = try request.dictionary("environment", "new", "topic")
            let (topic, tokens) = try issueTokens(for: [device], members)
            return .json(["token": tokens[0], "topic": .string(topic)], status: 201)
        case (.GET, "pushes"): return .devices([device])
        case (.PUT, "power"):
            guard let power = try request.dictionary("power")["power"]?.stringValue.flatMap(DevicePower.init(rawValue:))
            else {
                throw AdminProblem(400, "power is in-use, idle or saving-power")
            }
            simulator.devices.setPower(power, device: device)
            return .nothing
        case (.PUT, "channels"): return try follow(try request.dictionary("channels", "topic"), [device])
        default:
            throw AdminProblem(404, "a device has GET, POST tokens, GET pushes, PUT power and PUT channels")
        }
    }

    /// Answers requests about many devices at once.
    ///
    /// `POST /fleet/pushes` brings devices online, and the answer to this one request streams the pushes to all of these
    /// devices.
    func fleet(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        switch (request.method, request.path.count > 1 ? request.path[1] : "") {
        case (.GET, ""): return .json(simulator.devices.census().json)
        case (.POST, "tokens"):
            let members = try request.dictionary("count", "devices", "environment", "prefix", "topic")
            let (topic, tokens) = try issueTokens(for: try FleetSelection(json: members).devices, members)
            return .json(["tokens": .array(tokens), "topic": .string(topic)], status: 201)
        case (.POST, "pushes"):
            return .devices(try FleetSelection(json: try request.dictionary("count", "devices", "prefix")).devices)
        case (.PUT, "channels"):
            let members = try request.dictionary("channels", "count", "devices", "prefix", "topic")
            return try follow(members, try FleetSelection(json: members).devices)
        default: throw AdminProblem(404, "the fleet has GET, POST tokens, POST pushes and PUT channels")
        }
    }

    private func issueTokens(
        for devices: [String], _ members: [String: JSONValue]
    ) throws(AdminProblem) -> (topic: String, tokens: [JSONValue]) {
        let topic = try topic(members)
        let name = members["environment"] ?? .string(simulator.environment.rawValue)
        guard let environment = name.stringValue.flatMap(APNsEnvironment.init(rawValue:)) else {
            throw AdminProblem(400, "environment is production or sandbox")
        }
        let owner = DeviceStore.TokenOwner(bundleID: topic, environment: environment)
        guard simulator.devices.store.tokens.hasRoom(for: owner) else {
            throw AdminProblem(409, "this simulator has tokens of \(UInt16.max) topics: start another one")
        }
        guard let isNew = (members["new"] ?? false).boolValue else {
            throw AdminProblem(400, "new is true, for a further token, or false")
        }
        let tokens = devices.map { device in
            JSONValue.string(
                simulator.devices.issueToken(device: device, topic: topic, environment: environment, isNew: isNew)
                    .hexadecimal)
        }
        return (topic, tokens)
    }

    /// Returns the topic that a body names, or else the first of the simulator's.
    private func topic(_ members: [String: JSONValue]) throws(AdminProblem) -> String {
        guard let topic = members["topic"] else { return simulator.topics.sorted().first ?? "" }
        guard let topic = topic.stringValue else { throw AdminProblem(400, "topic is a bundle id") }
        return topic
    }

    private func follow(_ members: [String: JSONValue], _ devices: [String]) throws(AdminProblem) -> AdminAnswer {
        guard let list = members["channels"]?.arrayValue, case let ids = list.compactMap(\.stringValue),
            ids.count == list.count
        else { throw AdminProblem(400, "channels is a list of channel ids, as apns-channel-id gave them") }
        let topic = try topic(members)
        do {
            for device in devices { try simulator.followChannels(ids, topic: topic, device: device) }
        } catch {
            throw AdminProblem(400, error.description)
        }
        return .nothing
    }

    func tokens(_ request: AdminRequest) throws(AdminProblem) -> AdminAnswer {
        guard request.path.count > 1, let token = DeviceToken(hex: request.path[1]) else {
            throw AdminProblem(400, "the path is /tokens/<device token in hexadecimal>")
        }
        switch (request.method, request.path.count > 2 ? request.path[2] : "") {
        case (.DELETE, ""):
            switch request.parameter("reason") {
            case "expired": simulator.devices.expire(token.data)
            case nil, "unregistered": simulator.devices.invalidate(token.data)
            case let reason?:
                throw AdminProblem(400, "reason is unregistered (the default) or expired, not \(reason.prefix(40))")
            }
            return .nothing
        case (.POST, "answers"):
            simulator.faults.script(try Fault.script(try request.dictionary("answers")), for: token)
            return .nothing
        default: throw AdminProblem(404, "a token has DELETE, and POST answers")
        }
    }
}
