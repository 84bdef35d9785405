import CarillonCore
import CarillonDevice
import CarillonSimulator
import Foundation

/// The pushes that reached APNs without the service; the page shows them beside the service's messages.
struct RawPushes: Sendable {
    /// The pushes by `apns-id`.
    private var pushes: [String: PageMessage] = [:]
    private var order: [String] = []

    /// All pushes, oldest first.
    var all: [PageMessage] { order.compactMap { pushes[$0] } }

    /// Adds a new push, or an event of APNs about a known push.
    ///
    /// - Parameters:
    ///   - event: an event of the simulated APNs.
    ///   - phone: returns the id of the phone that has a device token.
    /// - Returns: the new or changed push; `nil` if the event is about none of these pushes.
    mutating func received(_ event: SimulatorEvent, phone: (DeviceToken) -> String?) -> PageMessage? {
        if let request = event.request { return add(request, at: event.at, on: request.deviceToken.flatMap(phone)) }
        guard let device = event.device, let id = device.push?.apnsID else { return nil }
        return change(Self.key(id), on: device.device) { $0.why = MessageIndex.why(device.kind) }
    }

    /// Adds a phone's record of a push.
    ///
    /// - Returns: the changed push; `nil` if the push is unknown.
    mutating func note(_ trace: PushTrace, on phone: String) -> PageMessage? {
        guard let id = trace.apnsID else { return nil }
        return change(Self.key(id), on: phone) { device in
            device.why = trace.whyNotSeen ?? trace.answeredNothing ?? trace.whyNoActivity
            guard let presentation = trace.presentation, presentation.isShown else { return }
            device.add("shown", at: trace.arrivedAt, detail: presentation.places.joined(separator: ", "))
        }
    }

    private mutating func add(_ request: RequestRecord, at now: Timestamp, on phone: String?) -> PageMessage? {
        let json = try? JSONValue(parsing: request.payload)
        guard json?[CarillonKey.payloadKey] == nil, !Self.isOfTheService(request),
            let id = try? MessageID(request.apnsID.lowercased())
        else {
            return nil
        }
        let alert = json?["aps"]?["alert"]
        var device = PageMessage.Device(
            device: request.deviceToken?.hex.shortened ?? "no device token", phone: phone, state: "", events: [])
        let state: String
        switch request.decision {
        case .accepted: state = "accepted"
        case .rejected(let rejection):
            state = "rejected"
            device.add(state, at: now, detail: rejection.reason.rawValue)
        case .failed(let fault):
            state = "unanswered"
            device.add(state, at: now, detail: "\(fault)")
        }
        if device.events.isEmpty { device.add(state, at: now, detail: nil) }
        let push = PageMessage(
            origin: .apns, id: id,
            title: alert?["title"]?.stringValue ?? alert?["body"]?.stringValue ?? alert?.stringValue, state: state,
            mode: request.header("apns-push-type") ?? "alert", created: now, devices: [device])
        keep(push)
        return push
    }

    /// Returns whether the request is a push of the service that is no message: one for a Live Activity, or one that checks a
    /// device token.
    ///
    /// Both have a collapse id of the service: the name of the Live Activity, or one that no other push uses.
    private static func isOfTheService(_ request: RequestRecord) -> Bool {
        guard let collapseID = request.header("apns-collapse-id") else { return false }
        return collapseID == "carillon-token-check"
            || request.header("apns-push-type") == PushType.liveactivity.rawValue
    }

    private mutating func keep(_ push: PageMessage) {
        let key = push.id.rawValue
        if pushes.updateValue(push, forKey: key) == nil { order.append(key) }
        if order.count > PhonesLimits.rawPushes { pushes[order.removeFirst()] = nil }
    }

    private mutating func change(
        _ key: String, on phone: String, _ edit: (inout PageMessage.Device) -> Void
    ) -> PageMessage? {
        guard let index = pushes[key]?.devices.firstIndex(where: { $0.phone == phone }) else { return nil }
        pushes[key].map { push in
            var push = push
            edit(&push.devices[index])
            pushes[key] = push
        }
        return pushes[key]
    }

    private static func key(_ id: UUID) -> String { id.uuidString.lowercased() }
}

extension PageMessage.Device {
    /// Adds an event, unless the push already has it.
    fileprivate mutating func add(_ event: String, at moment: Timestamp, detail: String?) {
        guard !events.contains(where: { $0.event == event }) else { return }
        events.append(PageMessage.Event(key: event, event: event, at: moment, detail: detail))
    }
}
