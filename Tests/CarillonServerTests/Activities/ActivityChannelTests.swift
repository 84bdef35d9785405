import CarillonCore
import Testing

@testable import CarillonServer

@Suite("The next request about a Live Activity's channel")
struct ActivityChannelTests {
    private func channel(id: String? = "c", revision: Int = 1, settled: Int = 1, ended: Timestamp? = nil)
        -> ActivityChannel
    {
        var channel = ActivityChannel(revision: revision, ended: ended, isOver: noon + StoreLimits.activityLifetime)
        (channel.id, channel.settled, channel.sent) = (id, settled, settled)
        return channel
    }

    @Test("it is made first, then it carries the newest state, the end, and is deleted four hours later")
    func life() {
        #expect(channel(id: nil, settled: 0).next(at: noon) == .make)
        #expect(channel().next(at: noon) == nil)
        #expect(channel().nextDue(at: noon) == noon + StoreLimits.activityLifetime)
        #expect(channel(revision: 3).next(at: noon) == .broadcast(.update, alerts: true))
        var ending = channel(revision: 2, ended: noon)
        #expect(ending.next(at: noon) == .broadcast(.end, alerts: true))
        let due = ending.settled(.end, 2, at: noon)
        #expect(due == noon + .seconds(4 * 3600) && ending.next(at: noon) == nil)
        #expect(ending.next(at: due) == .delete)
        #expect(channel().next(at: noon + StoreLimits.activityLifetime) == .delete)
    }

    @Test("what has ended before it was made is forgotten, unless it may have been made")
    func forgotten() {
        var ended = channel(id: nil, ended: noon)
        #expect(ended.next(at: noon) == .forget)
        ended.before = []
        #expect(ended.next(at: noon) == .make)
    }

    @Test("a channel that was made without an answer is the only new one that nobody else has")
    func found() {
        var lost = channel(id: nil)
        #expect(lost.made(among: ["a"], without: []).found == nil, "no request was made before")
        lost.before = ["a"]
        #expect(lost.made(among: ["a", "b"], without: []).found == "b")
        #expect(lost.made(among: ["a", "b", "c"], without: ["c"]).found == "b")
        #expect(lost.made(among: ["a"], without: []).found == nil)
        let two = lost.made(among: ["a", "b", "c"], without: [])
        #expect(two.found == nil && two.candidates == ["b", "c"])
    }

    @Test("while phones start, the newest state is sent once more, and without its alert")
    func again() {
        var channel = channel(revision: 2)
        channel.started = noon - .seconds(1)
        let due = channel.settled(.update, 2, at: noon)
        #expect(due == noon + DeliveryLimits.channelSettling)
        #expect(channel.next(at: due) == .broadcast(.update, alerts: false))
        channel.started = noon - .seconds(60)
        _ = channel.settled(.update, 2, at: due)
        #expect(channel.next(at: due) == nil)
    }
}
