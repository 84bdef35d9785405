import CarillonCore
import CarillonSimulator

/// The messages that the page shows, with the reasons why a message is not on a phone.
struct MessageIndex: Sendable {
    /// The source of a reason why a message is not on a phone.
    enum Source: Sendable, Hashable { case apns, phone }

    private struct Entry {
        /// The reasons why the message is not on a phone, by the phone's id and the reason's source.
        ///
        /// A later event of APNs does not overwrite the phone's own reason.
        var why: [String: [Source: String]] = [:]
    }

    private var entries: [MessageID: Entry] = [:]
    private var order: [MessageID] = []
    /// The reasons why messages are not on a phone, as phones have reported them, for messages that are not in the index yet.
    ///
    /// A phone's report may arrive before the service's event about the message.
    private var early: [MessageID: Entry] = [:]

    /// The messages that ``forget(_:)`` has removed; later events about them do not add them again.
    private var forgotten: Set<MessageID> = []

    /// The messages, newest first.
    var messages: [MessageID] { order.reversed() }

    /// Returns why the message is not on the phone: the phone's own reason, otherwise APNs' reason; `nil` if neither is known.
    func why(_ message: MessageID, isNotOn phone: String) -> String? {
        let reasons = entries[message]?.why[phone]
        return reasons?[.phone] ?? reasons?[.apns]
    }

    /// Returns the messages that APNs stores for a phone, or has discarded, newest first.
    func undelivered(on phone: String) -> [PushHistory.Undelivered] {
        messages.compactMap { message in
            guard let why = entries[message]?.why[phone]?[.apns] else { return nil }
            return PushHistory.Undelivered(message: message.rawValue, why: why)
        }
    }

    mutating func note(_ message: MessageID) {
        guard entries[message] == nil, !forgotten.contains(message) else { return }
        entries[message] = early.removeValue(forKey: message) ?? Entry()
        order.append(message)
        if order.count > PhonesLimits.messages { entries[order.removeFirst()] = nil }
    }

    /// Whether ``forget(_:)`` has removed the message, and the service has not accepted its id again since then.
    func hasForgotten(_ message: MessageID) -> Bool { forgotten.contains(message) }

    /// Adds a message that the service has just accepted, even if ``forget(_:)`` has removed an earlier message with this id.
    mutating func accepted(_ message: MessageID) {
        forgotten.remove(message)
        note(message)
    }

    /// Removes all messages.
    ///
    /// - Parameter others: messages that are not in the index, for instance because newer ones have displaced them. Later
    ///   events about them do not add them either.
    mutating func forget(_ others: Set<MessageID> = []) {
        forgotten.formUnion(others.union(order))
        (entries, order, early) = ([:], [], [:])
    }

    /// Records why a phone does not show a message.
    ///
    /// An unknown message is not added to the index, because pushes of other senders have ids too.
    ///
    /// - Parameters:
    ///   - why: the reason as a sentence; `nil` if the earlier reason no longer applies.
    ///   - source: the source of the reason.
    ///   - message: the message's id.
    ///   - phone: the phone's id.
    /// - Returns: whether the message is in the index.
    @discardableResult
    mutating func note(_ why: String?, from source: Source, for message: MessageID, on phone: String) -> Bool {
        if entries[message] != nil {
            entries[message]?.why[phone, default: [:]][source] = why
            return true
        }
        // Some of these messages never come, so all entries are dropped when there are many.
        if early.count >= PhonesLimits.messages { early = [:] }
        early[message, default: Entry()].why[phone, default: [:]][source] = why
        return false
    }

    /// Records an event of the simulated APNs.
    ///
    /// - Returns: the message that the event is about; `nil` if the event is about no message.
    mutating func received(_ event: SimulatorEvent) -> MessageID? {
        if let request = event.request {
            guard let pushed = PushedMessage(request.payload), pushed.hasText else { return nil }
            note(pushed.message)
            return pushed.message
        }
        guard let device = event.device, let push = device.push, let pushed = PushedMessage(push.payload) else {
            return nil
        }
        note(pushed.message)
        note(Self.why(device.kind), from: .apns, for: pushed.message, on: device.device)
        return pushed.message
    }

    static func why(_ kind: DeviceEvent.Kind) -> String? {
        switch kind {
        case .stored(.offline, _): "APNs stores it: this phone is offline."
        case .stored(.power, _): "APNs stores it to save this phone's power."
        case .stored(.throttled, _): "APNs delays it: too many background pushes."
        case .discarded(.expired): "APNs discarded it: it expired before this phone was online."
        case .discarded(.replaced): "APNs discarded it: for an offline phone it stores only the newest push."
        case .discarded(.oneAttempt): "APNs discarded it: it allowed only one attempt, and this phone was offline."
        case .discarded(.unregistered): "The app is no longer on this phone."
        default: nil
        }
    }
}

/// The message that a payload is about.
struct PushedMessage: Sendable {
    let message: MessageID
    /// Whether the payload has text to show; one that only carries removals has none.
    let hasText: Bool

    /// Reads the message from a payload.
    ///
    /// - Returns: the message; `nil` for a payload from another sender.
    init?(_ payload: some Sequence<UInt8>) {
        guard let json = try? JSONValue(parsing: .init(payload)),
            let key = json[CarillonKey.payloadKey].flatMap(CarillonKey.init(json:)), let id = key.id
        else { return nil }
        message = id
        let alert = key.silent?["alert"] ?? json["aps"]?["alert"]
        hasText = (alert?["title"] ?? alert?["body"] ?? alert)?.stringValue != nil
    }
}
