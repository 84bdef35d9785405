import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// The reference with which every engine is compared: a store in memory.
///
/// It shares with the engines the values that decide (``Delivery``, ``Push``) and nothing of how they keep, find and count
/// things; every call is done in one go. Left out: tokens that several installations claim, erasure, retention, and rows
/// that cannot be read, which have tests of their own.
struct ReferenceStore {
    var devices: [String: ReferenceDevice] = [:]
    /// The records of deleted installations: their pushes may still be in flight.
    var deleted: [String: DeviceRecord] = [:]
    /// A message's number is its place, counted from 1.
    var messages: [ReferenceMessage] = []
    /// The addressed deliveries, in the order of their numbers; none is ever taken out.
    var addressed: [ReferenceDelivery] = []
    var ownPushes: [ReferencePush] = []
    var inbox: [ReferenceEntry] = []
    var requests: [IdempotencyKey: ReferenceRequest] = [:]
    /// All timelines, in the order in which they were written.
    var events: [ReferenceEvent] = []
    var nextCheck: [AppNumber: Timestamp] = [:]
    var nextOrdinal: [AppNumber: Int64] = [:]
    /// The moment of the call that is under way.
    var now = noon
    /// The events that this call has put on the timelines.
    var told: [TimelineEvent] = []
    /// The number of decisions about the audience of a message that is sent by ranges.
    var decisions = 0
    /// An app with more confirmed devices than these sends by ranges; `nil` for never.
    var rangeDevices: Int?
    private var lastNumber: Int64 = 0

    /// A number that no delivery, push or device has.
    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// Makes one call at a moment.
    mutating func call<Answer>(at moment: Timestamp, _ body: (inout Self) -> Answer) -> (Answer, [TimelineEvent]) {
        (now, told) = (moment, [])
        return (body(&self), told)
    }

    // MARK: What every part needs

    func number(of message: MessageReference) -> Int64? {
        messages.first { $0.new.id == message.id && $0.new.app.number == message.app }?.number
    }

    func message(_ number: Int64) -> ReferenceMessage { messages[Int(number) - 1] }

    func index(of message: Int64, on device: String) -> Int? {
        addressed.firstIndex { $0.message == message && $0.device == device }
    }

    func devices(of user: UserReference) -> [ReferenceDevice] {
        devices.values.filter { $0.record.user == user.id && $0.record.app.number == user.app }
            .sorted { $0.number < $1.number }
    }

    func unreadCount(of user: UserReference) -> Int {
        inbox.filter { $0.user == user && $0.read == nil && isLive($0) }.count
    }

    func isLive(_ entry: ReferenceEntry) -> Bool {
        isVisible(entry) && !entry.isGone && entry.until.map { $0 > now } ?? true
    }

    /// Whether the user sees it: of a message that is sent by ranges only with a device of its newest revision that was the
    /// user's before.
    func isVisible(_ entry: ReferenceEntry) -> Bool {
        let message = message(entry.message)
        guard let decided = message.decided, entry.read == nil else { return true }
        return devices(of: entry.user).contains { device in
            guard device.bound < decided, let index = index(of: message.number, on: device.record.id) else {
                return false
            }
            return addressed[index].delivery.show.revision == message.revision
        }
    }

    mutating func record(_ event: TimelineEvent, about message: Int64, receipt: String? = nil) {
        events.append(ReferenceEvent(message: message, event: event, receipt: receipt))
        told.append(event)
    }

    /// Lets a delivery receive an event, as an engine does: with what the message and the device are now.
    mutating func receive(_ event: DeliveryEvent, at index: Int, _ rules: SendingRules = SendingRules()) {
        var known = addressed[index]
        let message = message(known.message)
        known.delivery.mode = message.new.mode
        known.delivery.user = message.new.audience.isBroadcast ? nil : known.owner
        known.delivery.isRanged = message.isRanged
        known.delivery.isNowOrNever = message.new.isNowOrNever
        known.delivery.isRecalled = message.recalled != nil
        known.delivery.hasNotice = message.notice != nil
        known.delivery.isCancelled = message.isCancelled
        if case .accepted = event { known.held = [] }
        known.delivery.silentUnanswered = devices[known.device]?.silentUnanswered ?? 0
        let changes = known.delivery.received(event, rules, at: now)
        for purpose in [PushPurpose.fallback, .notice]
        where known.delivery[purpose] != nil && known.numbers[purpose] == nil {
            known.numbers[purpose] = nextNumber()
        }
        addressed[index] = known
        for change in changes {
            switch change {
            case .note(let note):
                record(TimelineEvent(note, message: message.new.id, device: known.device), about: known.message)
            case .sendRemoval: queueRemoval(at: index)
            }
        }
    }
}

/// One timeline's entry.
struct ReferenceEvent {
    var message: Int64
    var event: TimelineEvent
    var receipt: String?
}

/// An installation, and what the service has counted of it.
struct ReferenceDevice {
    var number: Int64
    var record: DeviceRecord
    /// The number on its icon, where the service knows it.
    var badge: Int?
    var silentUnanswered = 0
    var pushRevision = 0
    /// ``ReferenceStore/decisions`` when its user signed in.
    var bound = 0

    var isReachable: Bool { record.state == .active && record.token != nil }
}

/// A message as it was accepted last.
struct ReferenceMessage {
    var number: Int64
    var new: NewMessage
    var revision: Int
    var devices: Int
    var accepted: Timestamp
    var recalled: Timestamp?
    var notice: RecallNotice?
    var isPaused = false
    var isCancelled = false
    /// When something is to be done because its `until` has passed; `nil` when there is nothing, or it was done.
    var expires: Timestamp?
    /// Whether it is sent by ranges: then no moments are told of its devices, and of each report only that there was one.
    var isRanged = false
    /// Why it is for no device; `nil` when it is for some.
    var nobody: NobodyReason?
    /// Then, which decision was its own (``ReferenceStore/decisions``).
    var decided: Int?
}

/// A message on a device.
struct ReferenceDelivery {
    var message: Int64
    var device: String
    /// The user of the device when it was addressed.
    var owner: String?
    var lane: DeliveryLane
    var delivery: Delivery
    /// By which its pushes are settled.
    var numbers: [PushPurpose: Int64]
    /// The pushes that wait for the end of a pause.
    var held: Set<PushPurpose> = []
}

/// A push of the service's own.
struct ReferencePush {
    var number: Int64
    var purpose: PushPurpose
    var device: String
    /// The one message that it is about; for a removal in another service's format.
    var message: Int64?
    var push: Push
    /// The messages that its attempts have told the phone to remove.
    var carried: Set<Int64> = []
}

/// A message in somebody's inbox.
struct ReferenceEntry {
    var user: UserReference
    var message: Int64
    var revision: Int
    var until: Timestamp?
    var read: Timestamp?
    /// Recalled or expired: it counts no more.
    var isGone = false
}

/// The answer to a request with an idempotency key.
struct ReferenceRequest {
    var fingerprint: Data
    var app: AppNumber
    var message: MessageID
    var devices: Int
}
