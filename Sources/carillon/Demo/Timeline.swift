import CarillonCore

/// What the service says happened to a message, as a backend reads it.
struct Timeline: Sendable {
    struct Event: Sendable {
        let device: String?
        let event: String
        let detail: String?
        let apnsID: String?
    }

    let events: [Event]

    init(json: JSONValue) {
        let devices = json["devices"]?.arrayValue ?? []
        events = devices.flatMap { device in
            (device["events"]?.arrayValue ?? []).map { event in
                Event(
                    device: device["device"]?.stringValue, event: event["event"]?.stringValue ?? "",
                    detail: event["detail"]?.stringValue, apnsID: event["apns_id"]?.stringValue)
            }
        }
    }

    func events(named name: String, on device: String? = nil) -> [Event] {
        events.filter { $0.event == name && (device == nil || $0.device == device) }
    }
}
