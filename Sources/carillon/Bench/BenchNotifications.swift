import ArgumentParser
import CarillonAPNs
import CarillonCore
import Foundation

/// The notifications of a measurement: one message of about 200 bytes to many devices.
///
/// Each notification has a different `apns-id`.
struct BenchNotifications: Sendable {
    let topic: String
    let tokens: [DeviceToken]
    /// The payload, encoded once for all devices, as in a real sender.
    let payload = APNsPayload(
        Data(
            #"{"aps":{"alert":{"title":"Breaking News!","body":"An alert of ordinary length, as a newspaper would send it to all the phones that follow its topic, a line or two of text."},"sound":"default"}}"#
                .utf8))
    private let run = UUID()

    subscript(number: Int) -> APNsNotification {
        var id = run.uuid
        (id.12, id.13, id.14, id.15) = (
            UInt8(truncatingIfNeeded: number >> 24), UInt8(truncatingIfNeeded: number >> 16),
            UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)
        )
        return APNsNotification(
            deviceToken: tokens[number % tokens.count], topic: topic, pushType: .alert, payload: payload,
            priority: .immediate, expiration: .oneAttempt, collapseID: "bench", apnsID: UUID(uuid: id))
    }

    /// Returns the notifications 1 to `count` as a sequence, for `send(contentsOf:)` of the client.
    func sequence(count: Int) -> Sequence { Sequence(notifications: self, count: count) }

    struct Sequence: AsyncSequence, Sendable {
        let notifications: BenchNotifications
        let count: Int

        func makeAsyncIterator() -> Iterator { Iterator(notifications: notifications, count: count) }

        struct Iterator: AsyncIteratorProtocol {
            let notifications: BenchNotifications
            let count: Int
            var number = 0

            mutating func next() async -> APNsNotification? {
                guard number < count else { return nil }
                number += 1
                return notifications[number]
            }
        }
    }
}
