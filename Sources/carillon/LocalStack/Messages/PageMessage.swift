import CarillonCore

/// One message as the page shows it: the service's timeline, with names and with what only the simulators know.
struct PageMessage: Encodable, Sendable {
    struct Event: Encodable, Sendable {
        /// Identifies the event among those of its device; it does not change.
        var key: String
        var event: String
        /// show, fallback, removal or badge, for what concerns a push.
        var purpose: String?
        var at: Timestamp
        var detail: String?
        var apnsID: String?

        enum CodingKeys: String, CodingKey {
            case key, event, purpose, at, detail
            case apnsID = "apns_id"
        }
    }

    struct Device: Encodable, Sendable {
        /// The installation's id.
        var device: String
        /// The phone's id, if it is one of the page's phones.
        var phone: String?
        var state: String
        /// The state of the recall on this device.
        var recall: String?
        /// Why this phone does not show it, in a sentence; only a simulated phone reports this.
        var why: String?
        var events: [Event]
    }

    var id: MessageID
    var title: String?
    var state: String
    var mode: String
    var created: Timestamp
    var until: Timestamp?
    var devices: [Device]

    init(
        report: NotificationReport, timeline: CarillonCore.Timeline, title: String?, phone: (String) -> String?,
        why: (String) -> String?
    ) {
        id = report.id
        self.title = title
        state = report.state.rawValue
        mode = report.mode.rawValue
        created = report.acceptedAt
        until = report.until
        let devices = timeline.devices.map { device in
            let phone = phone(device.device)
            return Device(
                device: device.device, phone: phone, state: device.state.rawValue, recall: device.recall?.rawValue,
                why: phone.flatMap(why), events: Self.events(of: device))
        }
        self.devices = devices.sorted { ($0.phone ?? $0.device) < ($1.phone ?? $1.device) }
    }

    private static func events(of device: DeviceTimeline) -> [Event] {
        device.events.enumerated().map { number, event in
            Event(
                key: String(number), event: event.event.rawValue, purpose: event.purpose?.rawValue, at: event.at,
                detail: event.reason ?? event.detail, apnsID: event.apnsID)
        }
    }
}
