import CarillonCore
import Foundation

/// Sends messages that were asked for in another service's words, as `POST /v1/notifications` does.
struct DoorSender {
    let service: ServiceContext
    let messages: MessageCalls
    let devices: DeviceCalls

    /// Accepts a message.
    ///
    /// Tokens that the service does not know become devices, as an import makes them, if the key has the scope `users`.
    ///
    /// - Parameters:
    ///   - wanted: the message.
    ///   - key: the caller's API key.
    ///   - idempotencyKey: the caller's key for this request; `nil` for none.
    /// - Returns: the message's id, and the tokens to which nothing is sent.
    /// - Throws: ``Problem``, with pointers into the body of `POST /v1/notifications`; otherwise the store's error.
    func send(
        _ wanted: DoorSend, by key: APIKeyRecord, _ idempotencyKey: IdempotencyKey? = nil
    ) async throws -> DoorOutcome {
        var outcome = DoorOutcome()
        var to: JSONValue
        switch wanted.recipients {
        case .to(let named): to = named
        case .tokens(let tokens):
            let app = try CallerAuthentication.app(of: key, named: wanted.topic, pointer: "/topic")
            let found = try await holders(of: tokens, app, wanted.environment, key, &outcome)
            guard !found.isEmpty else { return outcome }
            to = ["devices": .array(found.map(JSONValue.string))]
        }
        let message = try request(wanted, to, key, idempotencyKey).message
        let answer = try await messages.accept(message, for: service, service.logger)
        (outcome.id, outcome.devices) = (answer.id, answer.devices)
        return outcome
    }

    /// Checks a message without sending it.
    ///
    /// - Throws: ``Problem`` as ``send(_:by:_:)`` does, but for those that depend on the recipients.
    func check(_ wanted: DoorSend, by key: APIKeyRecord) throws {
        let to: JSONValue = if case .to(let to) = wanted.recipients { to } else { ["devices": ["any"]] }
        _ = try request(wanted, to, key, nil)
    }

    private func request(
        _ wanted: DoorSend, _ to: JSONValue, _ key: APIKeyRecord, _ idempotencyKey: IdempotencyKey?
    ) throws -> MessageRequest {
        var body = wanted.members
        body["to"] = to
        body["topic"] = wanted.topic.map(JSONValue.string)
        let now = service.clock.now
        let freshID = service.drawnMessageID(at: now)
        let rules = MessageRequest.Rules(
            key: key, topic: nil, now: now, freshID: freshID, idempotencyKey: idempotencyKey)
        var request = try MessageRequest(try ObjectReader(.object(body), pointer: ""), rules)
        request.message.fingerprint = wanted.fingerprint ?? SecretHash.of(freshID)
        // Other services leave the badge alone unless the call sets it.
        let badge = wanted.members["payload"]?["aps"]?["badge"]
        request.message.badgeIsUnreadCount = badge == "auto"
        return request
    }

    /// Returns the ids of the devices that hold tokens, in the order of the tokens and each once.
    private func holders(
        of tokens: [String], _ app: AppReference, _ environment: APNsEnvironment, _ key: APIKeyRecord,
        _ outcome: inout DoorOutcome
    ) async throws -> [String] {
        let parsed = tokens.map { (text: $0, token: DeviceToken(hex: $0)) }
        let valid = Set(parsed.compactMap(\.token))
        var holders = try await devices.holders(of: valid, in: app.number, environment)
        let unknown = valid.subtracting(holders.keys)
        if !unknown.isEmpty, key.scopes.contains(.users) || key.scopes.contains(.admin) {
            try await bring(unknown, to: app, environment)
            holders = try await devices.holders(of: valid, in: app.number, environment)
        }
        var (ids, seen): ([String], Set<String>) = ([], [])
        for (text, token) in parsed {
            guard let token else {
                outcome.failures.append(DoorOutcome.Failure(token: text, reason: "BadDeviceToken"))
                continue
            }
            switch holders[token] {
            case .some(let holder) where holder.state == .active:
                if seen.insert(holder.id).inserted { ids.append(holder.id) }
            case .some(let holder):
                let reason = holder.state == .unregistered ? "Unregistered" : "BadDeviceToken"
                outcome.failures.append(DoorOutcome.Failure(token: text, reason: reason))
            case nil:
                outcome.failures.append(DoorOutcome.Failure(token: text, reason: Self.unknownToken))
            }
        }
        return ids
    }

    private static let unknownToken =
        "this service does not know the token, and the API key lacks the scope users, with which it would be imported"

    private func bring(
        _ tokens: Set<DeviceToken>, to app: AppReference, _ environment: APNsEnvironment
    ) async throws {
        let facts = DeviceFacts(permission: .notDetermined)
        let new = tokens.sorted { $0.hex < $1.hex }.map { token in
            ImportedDevice(
                app: app, environment: environment, token: token, user: nil, facts: facts,
                id: DeviceImport.drawnID(service.random))
        }
        for start in stride(from: 0, to: new.count, by: StoreLimits.importedPerStep) {
            let some = Array(new[start...].prefix(StoreLimits.importedPerStep))
            _ = try await devices.importDevices(some, at: service.clock.now)
        }
    }
}
