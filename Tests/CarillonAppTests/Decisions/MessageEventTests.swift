import CarillonCore
import Testing

@testable import CarillonMessaging

/// The policy alone, with a list of notifications in the place of iOS's: no phone, no file, no task.
@Suite("What follows from an event")
final class MessageEventTests {
    private let trace = DecisionTrace()

    private func message(_ id: String, revision: Int = 1) throws -> PushMessage {
        let local = LocalNotification(
            identifier: id, aps: Aps(alert: .text("text"), sound: .default), userInfo: [:])
        return PushMessage(
            identifier: id, messageID: try MessageID(id), presentation: .local(local), revision: revision)
    }

    private func removal(_ id: String) throws -> PushRemoval {
        PushRemoval(identifier: id, messageID: try MessageID(id))
    }

    private func push(_ id: String) throws -> DecisionTrace.Occurrence {
        .pushed(PushInstructions(dialect: .carillon, message: try message(id)))
    }

    @Test(
        "of a push the removals come first, what is added is written down before, and at the end the list is looked at")
    func order() throws {
        trace.put(try message("old"))
        let text = trace(
            .pushed(
                PushInstructions(
                    dialect: .carillon, message: try message("m"), removals: [try removal("old")], badge: 3)))
        #expect(
            text == """
                tell gone: ["old recall"]
                remove old com.pushwoosh.notification.old
                tell new data
                tell new data
                save
                add m
                take over
                look for m
                tell hand over
                badge 3
                read the list
                tell next expiry: none
                receipt shown old/1
                receipt recalled old/1
                receipt received m/1
                receipt shown m/1
                """)
        #expect(trace.shown == ["m"])
    }

    @Test("what iOS refuses was not shown: it is said, and the next delivery counts as the first")
    func refused() throws {
        trace.refusesAll = true
        #expect(
            trace(try push("m")) == """
                tell new data
                save
                add m
                tell failed
                tell report notificationFailed(identifier: "m", reason: "no")
                read the list
                tell next expiry: none
                receipt received m/1
                """)
        #expect(trace.shown.isEmpty)
        trace.refusesAll = false
        #expect(
            trace(try push("m")) == """
                tell new data
                save
                add m
                take over
                look for m
                tell hand over
                read the list
                tell next expiry: none
                receipt shown m/1
                """)
        #expect(trace.shown == ["m"])
    }

    @Test("what was recalled while it was added goes again")
    func overtaken() throws {
        trace.recalledMeanwhile = [try removal("m")]
        #expect(
            trace(try push("m")) == """
                tell new data
                save
                add m
                take over
                remove m
                read the list
                tell next expiry: none
                receipt received m/1
                receipt recalled m/1
                """)
        #expect(trace.shown.isEmpty)
    }

    @Test("a recall is confirmed only of what is gone, and what stays is said")
    func stays() throws {
        for id in ["m", "n"] { trace.put(try message(id)) }
        trace.sticky = ["m"]
        #expect(
            trace(.removalsCame([try removal("m"), try removal("n")], besides: nil)) == """
                tell gone: ["m recall", "n recall"]
                remove m com.pushwoosh.notification.m n com.pushwoosh.notification.n
                tell report notificationFailed(identifier: "m", reason: "it could not be removed")
                tell failed
                receipt shown n/1
                receipt shown m/1
                receipt recalled n/1
                """)
        trace.moment.carriesOutRecalls = false
        #expect(trace(.removalsCame([try removal("k")], besides: nil)).isEmpty)
    }

    @Test("app and extension decide alike: what the extension was shown first is no second alert in the app")
    func alike() throws {
        let alert = DecisionTrace.Occurrence.alerted(try message("m"), PushInstructions(dialect: .carillon))
        #expect(
            trace(alert) == """
                tell treat asItIs
                receipt received m/1
                """)
        #expect(trace(alert) == "tell treat quiet")
        trace(.removalsCame([try removal("m")], besides: nil))
        #expect(trace(alert) == "tell treat withhold")
        #expect(
            trace(try push("m")) == """
                remove m
                read the list
                tell next expiry: none
                """)
    }

    @Test("a visible push that comes after the message was read is removed, and its alert counts as a second one")
    func alertedAfterReading() throws {
        trace(try push("m"))
        trace(.readInApp(try MessageID("m"), listed: 1))
        #expect(trace.shown.isEmpty)
        trace.now = trace.now + .seconds(60)
        let visible = PushMessage(
            identifier: "m", messageID: try MessageID("m"), presentation: .bySystem, attempt: 2)
        trace.put(visible)
        #expect(
            trace(.pushed(PushInstructions(dialect: .carillon, message: visible))) == """
                remove m
                read the list
                tell next expiry: none
                receipt shown m/1 again
                """)
        #expect(trace.shown.isEmpty)
    }

    @Test("a message that is in the list when its recall comes was shown, unless the list has only an older text")
    func shownAndRecalled() throws {
        trace.put(PushMessage(identifier: "m", messageID: try MessageID("m"), presentation: .bySystem))
        #expect(
            trace(.removalsCame([try removal("m")], besides: nil)).hasSuffix("receipt shown m/1\nreceipt recalled m/1"))
        trace.put(PushMessage(identifier: "n", messageID: try MessageID("n"), presentation: .bySystem))
        let newer = PushRemoval(identifier: "n", messageID: try MessageID("n"), revision: 2)
        trace(.pushed(PushInstructions(dialect: .carillon, message: try message("n", revision: 2), removals: [newer])))
        let told = trace.policy.receipts.pending.filter { $0.message.rawValue == "n" }
        #expect(told.map { "\($0.event.rawValue)/\($0.revision ?? 1)" } == ["shown/1", "recalled/2", "received/2"])
    }

    @Test("a visible push that arrives before a read message is removed counts as a second alert")
    func alertedBeforeRemoval() throws {
        trace(try push("m"))
        trace.now = trace.now + .seconds(60)
        trace.put(
            PushMessage(identifier: "m", messageID: try MessageID("m"), presentation: .bySystem, attempt: 2))
        #expect(
            trace(.readInApp(try MessageID("m"), listed: 1)) == """
                save
                remove m com.pushwoosh.notification.m
                receipt opened m/1
                receipt shown m/1 again
                """)
        #expect(trace.shown.isEmpty)
    }

    @Test("one event, one state, one answer")
    func pure() throws {
        let push = PushInstructions(
            dialect: .carillon, message: try message("m"), removals: [try removal("old")])
        let other = DecisionTrace()
        #expect(trace(.pushed(push)) == other(.pushed(push)))
        #expect(trace.policy == other.policy)
    }
}
