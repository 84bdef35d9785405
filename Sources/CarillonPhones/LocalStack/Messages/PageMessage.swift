import CarillonCore
import CarillonServer

/// One message as shown on the page.
///
/// The value combines the service's timeline with names and facts that only the simulated phones and the simulated APNs know.
struct PageMessage: Encodable, Sendable {
    struct Event: Encodable, Sendable {
        /// The key of the event, unique among the events of one device.
        ///
        /// The event has this key each time that it is sent to the page.
        var key: String
        var event: String
        /// The purpose of the push that the event is about; `nil` if the event is about no push.
        ///
        /// Examples are `show`, `removal`, `badge`, and `fallback`: the visible push that follows a silent push without a
        /// receipt.
        var purpose: String?
        var at: Timestamp
        /// The message's revision: 1 at first, increased by 1 with each replacement.
        var revision = 1
        var detail: String?
        /// The text that the person typed into the notification; `nil` if there is none.
        var reply: String?
        var apnsID: String?

        enum CodingKeys: String, CodingKey {
            case key, event, purpose, at, revision, detail, reply
            case apnsID = "apns_id"
        }
    }

    struct Device: Encodable, Sendable {
        /// The installation's id.
        var device: String
        /// The phone's id; `nil` if the device is not one of the page's phones.
        var phone: String?
        var state: String
        /// The state of the message's recall on this device; `nil` if there is none.
        var recall: String?
        /// The reason why this phone does not show the message, as a sentence; `nil` if no reason is known.
        ///
        /// Only simulated phones have such reasons.
        var why: String?
        /// The time at which the service sends the visible push of an assured message; `nil` if none is due.
        ///
        /// An assured message is a silent push, and a visible push if no `shown` receipt follows.
        var standsInAt: Timestamp?
        /// The newest events of the message on this device.
        var events: [Event]

        enum CodingKeys: String, CodingKey {
            case device, phone, state, recall, why, events
            case standsInAt = "stands_in_at"
        }
    }

    /// The origin of the message: the service, or a push that the page sent directly to APNs.
    enum Origin: String, Encodable, Sendable { case service, apns }

    var origin = Origin.service
    var id: MessageID
    var title: String?
    var state: String
    /// The message's delivery mode; for a push that the page sent directly to APNs, without the service, its push type.
    var mode: String
    /// The number of the message's newest version (its revision): 1, or higher after replacements.
    var revision = 1
    var created: Timestamp
    var until: MessageEnd?
    /// The time at which a scheduled message goes out; `nil` if it went out at once.
    var sendAt: Timestamp?
    var devices: [Device]
    /// The progress of a message to very many devices; `nil` for other messages.
    var progress: NotificationReport.Progress?
    var counts: NotificationReport.Counts?

    enum CodingKeys: String, CodingKey {
        case origin, id, title, state, mode, revision, created, until, devices, progress, counts
        case sendAt = "send_at"
    }
}

extension PageMessage {
    init(
        report: NotificationReport, timeline: CarillonServer.Timeline, title: String?, phone: (String) -> String?,
        why: (String) -> String?
    ) {
        id = report.id
        self.title = title
        state = report.state.rawValue
        mode = report.mode.rawValue
        revision = report.revision
        created = report.acceptedAt
        until = report.until
        sendAt = report.sendAt
        progress = report.progress
        counts = report.progress == nil ? nil : report.counts
        let devices = timeline.devices.map { device in
            let phone = phone(device.device)
            return Device(
                device: device.device, phone: phone, state: device.state.rawValue, recall: device.recall?.rawValue,
                why: phone.flatMap(why), standsInAt: Self.standsInAt(report, device), events: Self.events(of: device))
        }
        self.devices = devices.sorted { ($0.phone ?? $0.device) < ($1.phone ?? $1.device) }
    }

    private static func events(of device: DeviceTimeline) -> [Event] {
        device.events.enumerated().suffix(PhonesLimits.eventsPerDevice).map { number, event in
            Event(
                key: String(number), event: event.event.rawValue, purpose: event.purpose?.rawValue, at: event.at,
                revision: event.revision, detail: event.reason ?? event.detail, reply: event.reply, apnsID: event.apnsID
            )
        }
    }

    /// Returns the time at which the service sends the visible push of an assured message; `nil` if none is due.
    ///
    /// An assured message is a silent push, and a visible push if no `shown` receipt follows. The service waits for the receipt
    /// from the time at which APNs accepts the silent push. No visible push is due after the phone has shown the message, or
    /// after the message has ended.
    private static func standsInAt(_ report: NotificationReport, _ device: DeviceTimeline) -> Timestamp? {
        let events = device.events.filter { $0.revision == report.revision }
        let over: Set<TimelineEventKind> = [.shown, .opened, .acted, .dismissed, .expired, .recalled, .cancelled]
        guard report.mode == .assured, report.recalledAt == nil,
            !events.contains(where: { $0.purpose == .fallback && $0.event != .queued || over.contains($0.event) }),
            let accepted = events.last(where: { $0.purpose == .show && $0.event == .accepted })
        else { return nil }
        return accepted.at + PhonesLimits.assuredWait
    }
}
