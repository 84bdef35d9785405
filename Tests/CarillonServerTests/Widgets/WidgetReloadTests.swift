import CarillonCore
import Testing

@testable import CarillonServer

@Suite("The reload of a token") struct WidgetReloadTests {
    private let until = noon + .seconds(60)

    private func asked(_ times: Int = 1) -> WidgetReload {
        var reload = WidgetReload(until: noon)
        for _ in 0..<times { reload.ask(until: until, at: noon) }
        return reload
    }

    @Test("a push is due from the request until APNs has accepted it, or until its time is over")
    func due() {
        #expect(!WidgetReload(until: until).isDue(at: noon))
        var reload = asked()
        #expect(reload.isDue(at: noon) && !reload.isDue(at: until))
        reload.settle(.accepted, request: 1, nil)
        #expect(!reload.isDue(at: noon))
    }

    @Test("an accepted push settles what came before it was claimed, and nothing that came later")
    func settled() {
        var reload = asked(3)
        reload.settle(.accepted, request: 2, nil)
        #expect(reload.isDue(at: noon))
        reload.settle(.accepted, request: 3, nil)
        reload.settle(.accepted, request: 1, nil)
        #expect(!reload.isDue(at: noon) && reload.settled == 3)
    }

    @Test("a rejected token and an unreachable phone get nothing")
    func unreachable() {
        var reload = asked()
        reload.isReachable = false
        #expect(!reload.isDue(at: noon))
        reload.isReachable = true
        reload.settle(.retireToken(since: noon), request: 1, nil)
        #expect(!reload.isDue(at: noon) && reload.settled == 0)
    }

    @Test("a push without an answer is due again while it is retried, and not once it was given up")
    func unanswered() {
        var (reload, push) = (asked(), Push(revision: 1, queued: noon, due: noon))
        reload.settle(.retry(mayHaveArrived: true), request: 1, push)
        #expect(reload.isDue(at: noon))
        push.state = .unanswered
        reload.settle(.retry(mayHaveArrived: true), request: 1, push)
        #expect(!reload.isDue(at: noon))
    }

    @Test("a request that waits keeps the later of two deadlines, and one that is over does not")
    func deadlines() {
        var reload = asked()
        reload.ask(until: noon + .seconds(30), at: noon)
        #expect(reload.until == until)
        reload.ask(until: until + .seconds(1), at: until)
        #expect(reload.until == until + .seconds(1))
    }

    @Test("a request while another is in flight keeps its own deadline, and the other's only if that failed")
    func deadlineInFlight() {
        func claimed() -> WidgetReload {
            var reload = asked()
            reload.claim()
            reload.ask(until: noon + .seconds(30), at: noon)
            return reload
        }
        var accepted = claimed()
        accepted.settle(.accepted, request: 1, nil)
        #expect(accepted.isDue(at: noon) && accepted.until == noon + .seconds(30))
        var refused = claimed()
        refused.settle(.retry(mayHaveArrived: false), request: 1, Push(revision: 1, queued: noon, due: noon))
        #expect(refused.until == until)
        var takenOver = claimed()
        takenOver.claim()
        #expect(takenOver.until == until)
    }
}
