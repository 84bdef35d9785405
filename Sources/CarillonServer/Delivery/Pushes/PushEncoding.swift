import CarillonCore
import Foundation
import Synchronization

/// A push with a message in one language, encoded once for many devices.
///
/// The encoding leaves out the time and the unread count, which are filled in for each device. A push that also asks
/// its device to remove messages, or is a second attempt, is encoded for that device alone. The encoding is a class
/// because all pushes of the message share it.
package final class PushEncoding: Sendable {
    private enum Gap: Hashable { case now, unread }

    private struct Content: Hashable {
        let prototype: ComposedPush
        let purpose: PushPurpose
        let revision: Int
        let hasUnread: Bool
        /// The fixed parts of the payload, before, between and after the values that differ by device (time and unread count).
        var parts: [Data] = []
        var gaps: [Gap] = []
    }

    private let content: Content
    /// The payload that was made last; it is used again while the time and the unread count stay equal.
    ///
    /// Most pushes have no unread count, so only a new time requires a new payload.
    private let last = Mutex<(now: Timestamp, unread: Int?, payload: Data)?>(nil)

    /// Two samples, each a time and an unread count with the greatest number of digits.
    ///
    /// The push is encoded once with each sample, and the sample's two numbers are looked for in the encoded bytes. If their
    /// places differ between the two encodings, the message's text contains one of the numbers, and no ``PushEncoding`` is made.
    private static let samples: [(now: Timestamp, unread: Int)] = [
        (Timestamp(millisecondsSince1970: 8_123_456_789_012), 987_654_321),
        (Timestamp(millisecondsSince1970: 9_210_987_654_321), 876_543_219),
    ]

    /// Encodes a push once for many devices.
    ///
    /// The result is `nil` if the push cannot be composed, or if the initializer cannot tell at which bytes the time and the
    /// unread count are.
    ///
    /// - Parameter delivery: the delivery to any of the devices, at its first attempt and without removals; for other deliveries
    ///   the result is `nil`. The only property of the device that matters is whether it has an unread count.
    init?(_ delivery: ClaimedDelivery) {
        guard delivery.removals.isEmpty, !delivery.hasMoreRemovals, delivery.attempt == 1 else { return nil }
        let pushes = Self.samples.compactMap { sample in
            var delivery = delivery
            delivery.encoding = nil
            delivery.unread = delivery.unread.map { _ in sample.unread }
            return try? PushComposer.compose(delivery, at: sample.now)
        }
        guard pushes.count == 2 else { return nil }
        var content = Content(
            prototype: pushes[0], purpose: delivery.purpose, revision: delivery.revision,
            hasUnread: delivery.unread != nil)
        let places = zip(pushes, Self.samples).map { Self.places(of: $1, in: $0.payload) }
        guard places[0].map(\.position) == places[1].map(\.position) else { return nil }
        var position = pushes[0].payload.startIndex
        for place in places[0] {
            guard place.position >= position else { return nil }
            content.parts.append(pushes[0].payload[position..<place.position])
            content.gaps.append(place.gap)
            position = place.position + place.length
        }
        content.parts.append(pushes[0].payload[position...])
        self.content = content
    }

    private static func places(
        of sample: (now: Timestamp, unread: Int), in payload: Data
    ) -> [(position: Int, length: Int, gap: Gap)] {
        let texts: [(String, Gap)] = [
            (String(sample.now.millisecondsSince1970), .now), (String(sample.unread), .unread),
        ]
        var found: [(position: Int, length: Int, gap: Gap)] = []
        for (text, gap) in texts {
            var rest: Data = payload
            while let range: Range<Int> = rest.firstRange(of: Data(text.utf8)) {
                found.append((range.lowerBound, range.count, gap))
                rest = rest[range.upperBound...]
            }
        }
        return found.sorted { $0.position < $1.position }
    }

    /// Returns the push for one device, made by filling the device's values into this encoding.
    ///
    /// The result is `nil` if the device needs a push with other contents, which must be composed for it alone.
    func push(for delivery: ClaimedDelivery, at now: Timestamp) -> ComposedPush? {
        guard delivery.removals.isEmpty, !delivery.hasMoreRemovals, delivery.attempt == 1,
            content.purpose == delivery.purpose, content.revision == delivery.revision,
            content.hasUnread == (delivery.unread != nil)
        else { return nil }
        var push = content.prototype
        (push.token, push.app, push.payload) = (delivery.token, delivery.app, payload(now, delivery.unread))
        push.apnsID = delivery.apnsID
        return push
    }

    private func payload(_ now: Timestamp, _ unread: Int?) -> Data {
        last.withLock { last in
            if let last, last.now == now, last.unread == unread { return last.payload }
            var payload = Data(capacity: content.prototype.payload.count)
            for (part, gap) in zip(content.parts, content.gaps) {
                payload.append(part)
                let number = gap == .now ? Int(now.millisecondsSince1970) : unread ?? 0
                payload.append(contentsOf: String(number).utf8)
            }
            if let part = content.parts.last { payload.append(part) }
            last = (now, unread, payload)
            return payload
        }
    }
}

extension PushEncoding: Hashable {
    package static func == (left: PushEncoding, right: PushEncoding) -> Bool {
        left === right || left.content == right.content
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(content.parts) }
}
