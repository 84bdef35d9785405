import CarillonCore
import CarillonSimulator

/// What the page knows about messages beyond the service's timeline: their titles, as they passed through APNs, and
/// what keeps them from a phone.
struct MessageIndex: Sendable {
    /// How many messages are remembered; the oldest are forgotten first.
    static let messageLimit = 100

    private struct Entry {
        var title: String?
        /// By phone.
        var why: [String: String] = [:]
    }

    private var entries: [MessageID: Entry] = [:]
    private var order: [MessageID] = []

    /// The newest first.
    var messages: [MessageID] { order.reversed() }

    func title(of message: MessageID) -> String? { entries[message]?.title }
    func why(_ message: MessageID, isNotOn phone: String) -> String? { entries[message]?.why[phone] }

    mutating func note(_ message: MessageID) {
        guard entries[message] == nil else { return }
        entries[message] = Entry()
        order.append(message)
        if order.count > Self.messageLimit { entries[order.removeFirst()] = nil }
    }

    mutating func note(title: String?, of message: MessageID) {
        note(message)
        entries[message]?.title = title
    }

    /// - Parameter why: a sentence; `nil` when nothing stands in the way any more.
    mutating func note(_ why: String?, for message: MessageID, on phone: String) {
        note(message)
        entries[message]?.why[phone] = why
    }

    /// - Returns: the message of which something has become known.
    mutating func received(_ event: SimulatorEvent) -> MessageID? {
        if let request = event.request {
            guard let pushed = PushedMessage(request.payload), let title = pushed.title else { return nil }
            note(title: title, of: pushed.message)
            return pushed.message
        }
        guard let device = event.device, let push = device.push, let pushed = PushedMessage(push.payload) else {
            return nil
        }
        note(Self.why(device.kind), for: pushed.message, on: device.device)
        return pushed.message
    }

    private static func why(_ kind: DeviceEvent.Kind) -> String? {
        switch kind {
        case .stored(.offline, _): "APNs keeps it: this phone is offline."
        case .stored(.power, _): "APNs keeps it until this phone has power to spare."
        case .stored(.throttled, _): "APNs holds it back: too many background pushes."
        case .discarded(.expired): "APNs discarded it: it expired before this phone could be reached."
        case .discarded(.replaced): "APNs discarded it: only the newest push is kept for a phone that is offline."
        case .discarded(.oneAttempt): "APNs discarded it: it was worth one attempt, and this phone was offline."
        case .discarded(.unregistered): "Chime is not on this phone any more."
        default: nil
        }
    }
}

/// Which message a payload brings, and what it is called.
struct PushedMessage: Sendable {
    let message: MessageID
    /// `nil` for a push that shows nothing, such as one that only carries removals.
    let title: String?

    /// - Returns: `nil` for a payload that is not the service's.
    init?(_ payload: some Sequence<UInt8>) {
        guard let json = try? JSONValue(parsing: .init(payload)),
            let key = json[CarillonKey.payloadKey].flatMap(CarillonKey.init(json:)), let id = key.id
        else { return nil }
        message = id
        let alert = key.silent?["alert"] ?? json["aps"]?["alert"]
        title = alert?["title"]?.stringValue ?? alert?["body"]?.stringValue ?? alert?.stringValue
    }
}
