import CarillonCore
import Foundation

/// A push that brings one variant of a message, encoded once: for each device only the moment and the user's unread count are
/// spliced in.
///
/// A device with removals, and a second attempt, have a push of their own.
package struct PushTemplate: Sendable, Hashable {
    private enum Gap: Hashable { case now, unread }

    private let prototype: ComposedPush
    private let hasUnread: Bool
    /// What stands before each gap, and after the last.
    private var parts: [Data] = []
    private var gaps: [Gap] = []

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
        var position = pushes[0].payload.startIndex
        for place in places[0] {
            guard place.position >= position else { return nil }
            parts.append(pushes[0].payload[position..<place.position])
            gaps.append(place.gap)
            position = place.position + place.length
        }
        parts.append(pushes[0].payload[position...])
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
            hasUnread == (delivery.unread != nil), let message = delivery.message
        else { return nil }
        var payload = Data(capacity: prototype.payload.count)
        for (part, gap) in zip(parts, gaps) {
            payload.append(part)
            let number = gap == .now ? Int(now.millisecondsSince1970) : delivery.unread ?? 0
            payload.append(contentsOf: String(number).utf8)
        }
        if let last = parts.last { payload.append(last) }
        var push = prototype
        (push.token, push.app, push.payload) = (delivery.token, delivery.app, payload)
        push.apnsID = PushIdentifier.uuid(
            message: message.id.rawValue, device: delivery.device, purpose: delivery.purpose,
            revision: delivery.revision)
        return push
    }
}
