import CarillonCore
import CarillonServer
import Testing

@testable import carillon

@Suite("How far a message has come, in the terminal")
struct MessageProgressTests {
    private static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    private func report(_ state: MessageState, _ progress: NotificationReport.Progress?) throws -> NotificationReport {
        var counts = NotificationReport.Counts()
        (counts.devices, counts.accepted, counts.secondSends) = (1000, 400, 3)
        return NotificationReport(
            id: try MessageID("m"), state: state, mode: .visible, topic: "com.example", revision: 1,
            acceptedAt: Self.now, until: nil, recalledAt: nil, counts: counts, recall: nil, replies: nil, sendAt: nil,
            progress: progress)
    }

    @Test("is a sentence with how fast it goes out, and when it will be done")
    func running() throws {
        let progress = NotificationReport.Progress(
            decided: 4096, total: 9000, perSecond: 123.6, finishesAt: Self.now + .seconds(70))
        let message = MessageProgress(try report(.sending, progress))
        #expect(
            message.sentence(at: Self.now)
                == "m: sending, 400 of 1000 accepted, 3 sent again, 4096 of 9000 devices decided, 124 a second, done in 70 s"
        )
        #expect(message.sentence(at: Self.now + .seconds(90)).hasSuffix("done in 0 s"))
        #expect(message.isRunning)
    }

    @Test("says no more than is known", arguments: [MessageState.sent, .paused, .recalled])
    func ended(_ state: MessageState) throws {
        let message = MessageProgress(try report(state, nil))
        #expect(message.sentence(at: Self.now) == "m: \(state.rawValue), 400 of 1000 accepted, 3 sent again")
        #expect(!message.isRunning)
    }
}
