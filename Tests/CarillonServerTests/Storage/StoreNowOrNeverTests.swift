import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message that is delivered now or never", .serialized)
struct StoreNowOrNeverTests {
    /// An engine, and whether the message is kept in bits.
    struct Form: Sendable, CustomTestStringConvertible {
        let engine: StoreEngine
        let isRanged: Bool

        var testDescription: String { "\(engine.rawValue), \(isRanged ? "bits" : "row")" }
        /// For how long the message is tried.
        var lifetime: Duration { SendingRules().lifetime(isNowOrNever: true, isRanged: isRanged) }
    }

    private static let forms = StoreEngine.allCases.flatMap { engine in
        [false, true].map { Form(engine: engine, isRanged: $0) }
    }
    private let id = MessageID(test: "m")
    private var reference: MessageReference { MessageReference(id, of: chime.number) }

    private func store(_ form: Form) async throws -> Store {
        let store = try await form.engine.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        try await store.enrol([device("d", user: "u"), device("e", user: "v")], at: noon)
        return store
    }

    private func new(_ form: Form, sendAt: Timestamp? = nil) throws -> NewMessage {
        var new = try message("m", to: form.isRanged ? .everyone : .users(["u"]), counts: false)
        (new.isNowOrNever, new.sendAt) = (true, sendAt)
        return new
    }

    @Test("is sent within its time, to be tried once by APNs, and stays on the phones", arguments: forms)
    func sent(_ form: Form) async throws {
        let store = try await store(form)
        _ = try await store.accept(try new(form), at: noon)
        let late = noon + form.lifetime - .milliseconds(1)
        let pushes = try await store.claim(everything(), at: late).deliveries
        #expect(pushes.count == (form.isRanged ? 2 : 1))
        for push in pushes {
            let composed = try PushComposer.compose(push, at: late)
            #expect(composed.expiration == .oneAttempt && composed.carillon?.until == nil)
        }
        try await store.settle(pushes.map { $0.settled(at: late) }, at: late)
        let report = try #require(try await store.report(reference, at: noon + .seconds(100_000)))
        #expect(report.until == .now && report.state == .sent && report.recall == nil, "\(report)")
        #expect(try await store.claim(everything(), at: noon + .seconds(100_000)).deliveries.isEmpty)
    }

    @Test("is not sent any more when its time has passed", arguments: forms)
    func missed(_ form: Form) async throws {
        let store = try await store(form)
        _ = try await store.accept(try new(form), at: noon)
        let late = noon + form.lifetime
        #expect(try await store.report(reference, at: late)?.state == .expired)
        #expect(try await store.claim(everything(), at: late).deliveries.isEmpty)
        let report = try #require(try await store.report(reference, at: late))
        #expect(report.state == .expired && report.counts.queued == 0, "\(report)")
        #expect(report.counts.expired == report.counts.devices, "\(report)")
        guard !form.isRanged else { return }
        let events = try await store.timeline(id, after: nil, limit: 1, at: late)?.devices.first?.events
        #expect(events?.last?.event == .expired && events?.last?.inferred == nil)
        #expect(events?.last?.detail == "not sent: it could not be sent at once")
    }

    @Test("is not sent when it was paused for longer than its time, before or after its send_at", arguments: forms)
    func paused(_ form: Form) async throws {
        for sendAt in [nil, noon + .seconds(60)] {
            let store = try await store(form)
            _ = try await store.accept(try new(form, sendAt: sendAt), at: noon)
            _ = try await store.steer(reference, .pause, at: noon + .seconds(1))
            let late = (sendAt ?? noon) + form.lifetime
            #expect(try await store.report(reference, at: late - .milliseconds(1))?.state == .paused)
            _ = try await store.steer(reference, .resume, at: late)
            #expect(try await store.claim(everything(), at: late).deliveries.isEmpty)
            let report = try #require(try await store.report(reference, at: late))
            #expect(report.state == .expired && report.counts.expired == report.counts.devices, "\(report)")
        }
    }

    @Test("that no receipt has come after its time is told as a conclusion", arguments: forms)
    func inferred(_ form: Form) async throws {
        let store = try await store(form)
        _ = try await store.accept(try new(form), at: noon)
        try await store.deliverAll()
        let end = noon + SendingRules().nowOrNeverLifetime
        func events(at now: Timestamp) async throws -> [TimelineEvent] {
            try await store.timeline(id, after: nil, limit: 1, at: now)?.devices.first?.events ?? []
        }
        #expect(try await events(at: end - .milliseconds(1)).map(\.event) == [.queued, .sent, .accepted])
        let last = try #require(try await events(at: end).last)
        #expect(last.event == .expired && last.inferred == true && last.at == end)
        #expect(last.detail?.contains("APNs has tried once") == true)
        _ = try await store.record([receipt(.shown, "m")], from: "d", at: noon)
        #expect(try await events(at: end).last?.event == .shown)
    }

    @Test("never waits at APNs, so that a removal may", arguments: forms)
    func neverKept(_ form: Form) async throws {
        for isNowOrNever in [true, false] {
            let store = try await store(form)
            var first = try new(form)
            first.isNowOrNever = isNowOrNever
            _ = try await store.accept(first, at: noon)
            try await store.deliverAll()
            _ = try await store.accept(try message("other", to: .users(["u"]), counts: false), at: noon + .seconds(1))
            let other = try await store.claim(everything(), at: noon + .seconds(1)).deliveries
            try await store.settle(other.map { $0.settled(at: noon + .seconds(1)) }, at: noon + .seconds(1))
            try await store.recall(MessageID(test: "other"), at: noon + .seconds(2))
            let removals = try await store.claim(everything(), at: noon + .seconds(2)).deliveries
            #expect(removals.first { $0.purpose == .removal }?.hasUnanswered == !isNowOrNever)
        }
    }

    @Test("a notice of its recall is kept for the phone as every notice is", arguments: StoreEngine.allCases)
    func notice(_ engine: StoreEngine) async throws {
        let form = Form(engine: engine, isRanged: false)
        let store = try await store(form)
        _ = try await store.accept(try new(form), at: noon)
        try await store.deliverAll()
        _ = try await store.recall(reference, notice: RecallNotice(title: "Withdrawn", body: nil), at: noon)
        let later = noon + .seconds(3600)
        try await store.deliverAll()
        let notices = try await store.claim(everything(), at: later).deliveries.filter { $0.purpose == .notice }
        let push = try #require(notices.first)
        #expect(try PushComposer.compose(push, at: later).expiration == .unspecified)
    }
}
