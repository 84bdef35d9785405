import CarillonCore
import Foundation
import Synchronization

/// A push that brings one variant of a message, encoded once: for each device only the moment and the user's unread count are
/// spliced in.
///
/// A device with removals, and a second attempt, have a push of their own. An object, since all pushes that are claimed
/// together have the same.
package final class PushTemplate: Sendable {
    private enum Gap: Hashable { case now, unread }

    private let prototype: ComposedPush
    private let hasUnread: Bool
    /// What stands before each gap, and after the last.
    private let parts: [Data]
    private let gaps: [Gap]
    /// The last that was made: one moment's pushes differ in the unread count only, and most have none.
    private let last = Mutex<(now: Timestamp, unread: Int?, payload: Data)?>(nil)

    /// Two values of the greatest length: only what differs between them is a gap, whatever digits a text contains.
    private static let samples: [(now: Timestamp, unread: Int)] = [
        (Timestamp(millisecondsSince1970: 8_123_456_789_012), 987_654_321),
        (Timestamp(millisecondsSince1970: 9_210_987_654_321), 876_543_219),
    ]

    /// - Parameter delivery: the first attempt at such a push, to any device; whether it has an unread count matters.
    ///
    /// `nil` where the push cannot be composed, or where it cannot be told what differs.
    init?(_ delivery: ClaimedDelivery) {
        guard delivery.removals.isEmpty, !delivery.hasMoreRemovals, delivery.attempt == 1 else { return nil }
        hasUnread = delivery.unread != nil
        let pushes = Self.samples.compactMap { sample in
            var delivery = delivery
            delivery.template = nil
            delivery.unread = delivery.unread.map { _ in sample.unread }
            return try? PushComposer.compose(delivery, at: sample.now)
        }
        guard pushes.count == 2 else { return nil }
        prototype = pushes[0]
        let places = zip(pushes, Self.samples).map { Self.places(of: $1, in: $0.payload) }
        guard places[0].map(\.position) == places[1].map(\.position) else { return nil }
        var (position, parts, gaps) = (pushes[0].payload.startIndex, [Data](), [Gap]())
        for place in places[0] {
            guard place.position >= position else { return nil }
            parts.append(pushes[0].payload[position..<place.position])
            gaps.append(place.gap)
            position = place.position + place.length
        }
        parts.append(pushes[0].payload[position...])
        (self.parts, self.gaps) = (parts, gaps)
    }

    private static func places(
        of sample: (now: Timestamp, unread: Int), in payload: Data
    ) -> [(position: Int, length: Int, gap: Gap)] {
        [(String(sample.now.millisecondsSince1970), Gap.now), (String(sample.unread), .unread)].flatMap { text, gap in
            var found: [(position: Int, length: Int, gap: Gap)] = []
            var rest = payload[...]
            while let range = rest.firstRange(of: Data(text.utf8)) {
                found.append((range.lowerBound, range.count, gap))
                rest = rest[range.upperBound...]
            }
            return found
        }.sorted { $0.position < $1.position }
    }

    /// The push for a device; `nil` where it needs one of its own.
    func push(for delivery: ClaimedDelivery, at now: Timestamp) -> ComposedPush? {
        guard delivery.removals.isEmpty, !delivery.hasMoreRemovals, delivery.attempt == 1,
            hasUnread == (delivery.unread != nil), let message = delivery.content?.message.id
        else { return nil }
        var push = prototype
        (push.token, push.app, push.payload) = (delivery.token, delivery.app, payload(now, delivery.unread))
        push.apnsID = PushIdentifier.uuid(
            message: message.rawValue, device: delivery.device, purpose: delivery.purpose,
            revision: delivery.revision)
        return push
    }

    private func payload(_ now: Timestamp, _ unread: Int?) -> Data {
        last.withLock { last in
            if let last, last.now == now, last.unread == unread { return last.payload }
            var payload = Data(capacity: prototype.payload.count)
            for (part, gap) in zip(parts, gaps) {
                payload.append(part)
                let number = gap == .now ? Int(now.millisecondsSince1970) : unread ?? 0
                payload.append(contentsOf: String(number).utf8)
            }
            if let part = parts.last { payload.append(part) }
            last = (now, unread, payload)
            return payload
        }
    }
}

extension PushTemplate: Hashable {
    package static func == (left: PushTemplate, right: PushTemplate) -> Bool {
        left === right
            || (left.prototype == right.prototype && left.hasUnread == right.hasUnread && left.parts == right.parts
                && left.gaps == right.gaps)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}
