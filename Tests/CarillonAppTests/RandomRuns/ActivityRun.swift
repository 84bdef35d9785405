import ActivityKit
import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation

/// The attributes of the matches in an ``ActivityRun``; the type's name is the `attributes-type` of their pushes.
struct MatchOfRun: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var goals: Int
    }

    var match: String
}

/// One random run with Live Activities: a backend starts, updates and ends matches, a network and a person disturb them.
///
/// The phone, the SDK and the service are the real ones; all is drawn from a seed.
@MainActor struct ActivityRun {
    private static let stepCount = 24

    private struct Match {
        var id: String
        var goals: Int
        var hasEnded = false
    }

    private let system: TestSystem
    private let phone: TestSystemPhone
    private var random: SeededGenerator
    private var matches: [Match] = []
    /// The greatest numbers of goals that the cards of each match have shown, in order.
    ///
    /// A start that comes late adds a card with an older state, which must leave again. A newer state that is on the screen beside it
    /// stays there.
    private var shown: [String: [Int]] = [:]
    private var goals = 0

    /// Executes the run of a seed.
    ///
    /// - Returns: the violated promises, the number of matches that were on the screen at the end, and the run's log.
    static func run(seed: UInt64) async throws -> (violations: [String], matchCount: Int, runLog: String) {
        var random = SeededGenerator(seed: seed)
        let conditions = conditions(&random)
        return try await TestSystem.run(seed: seed, conditions: .faultless) { system in
            var rules = PhoneRules()
            // A start whose answer was lost is repeated.
            rules.activitiesPerApp = 50
            let phone = try await system.addPhone("phone", hasExtension: false, hasMatches: true, rules: rules)
            var run = ActivityRun(system: system, phone: phone, random: random)
            // What is shown without faults must be there at the end.
            try await run.start()
            system.faults.change(to: conditions)
            for _ in 0..<stepCount { try await run.step() }
            let (violations, count) = try await run.end()
            return (violations, count, system.runLog.text)
        }
    }

    private init(system: TestSystem, phone: TestSystemPhone, random: SeededGenerator) {
        (self.system, self.phone, self.random) = (system, phone, random)
    }

    private static func conditions(_ random: inout SeededGenerator) -> FaultModel.NetworkConditions {
        func level(_ most: Double) -> Double { random.happens(0.4) ? 0 : Double.random(in: 0..<most, using: &random) }
        return FaultModel.NetworkConditions(
            losesPushes: level(0.5), doublesPushes: level(0.5), latestPushSeconds: random.below(3) * 40,
            losesOutcomes: level(0.4), losesRequests: level(0.5), losesAnswers: level(0.4), delaysRequests: level(0.3),
            delaysAnswers: level(0.3))
    }

    // MARK: What happens

    private mutating func step() async throws {
        switch random.below(10) {
        case 0: try await start()
        case 1...4: try await update()
        case 5 where random.happens(0.2): try await finish()
        default: try await disturb()
        }
        try await pass(.milliseconds(Int64(random.below(random.happens(0.3) ? 60_000 : 8_000))))
        if random.happens(0.3) { try await phone.transport.deliverStray() }
    }

    private mutating func start() async throws {
        guard matches.count < 3 else { return }
        goals += 1
        let match = Match(id: "match-\(matches.count + 1)", goals: goals)
        matches.append(match)
        try await post(
            "",
            [
                "id": .string(match.id), "to": ["user": .string(TestSystem.user)], "attributes-type": "MatchOfRun",
                "attributes": ["match": .string(match.id)], "content-state": ["goals": .int(Int64(goals))],
                "alert": ["title": "It begins"],
            ])
        try await pass(.seconds(1))
    }

    private mutating func update() async throws {
        let running = matches.indices.filter { !matches[$0].hasEnded }
        guard let index = running.randomElement(using: &random) else { return }
        try await update(index)
    }

    private mutating func update(_ index: Int) async throws {
        goals += 1
        matches[index].goals = goals
        try await post("/\(matches[index].id)", ["content-state": ["goals": .int(Int64(goals))]], method: "PATCH")
    }

    private mutating func finish() async throws {
        guard let index = matches.indices.filter({ !matches[$0].hasEnded }).last, index > 0 else { return }
        matches[index].hasEnded = true
        try await post("/\(matches[index].id)/end", ["dismissal-date": .int(system.clock.now.secondsSince1970)])
    }

    private func post(_ path: String, _ body: JSONValue, method: String = "POST") async throws {
        system.runLog.add("\(method) \(path) \(body["content-state"]?["goals"]?.intValue.map(String.init) ?? "")")
        let answer = try await system.service.backend(method, "/v1/live-activities\(path)", body)
        guard answer.status == 202 else {
            throw Refused(answer: "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
    }

    private struct Refused: Error { let answer: String }

    private mutating func disturb() async throws {
        let (device, app) = (phone.phone, InProcessService.topic)
        let what = random.below(8)
        system.runLog.add("the phone's disturbance \(what)")
        switch what {
        case 0:
            await device.unlock()
            try await device.openApp(app)
        case 1: await device.pressHome()
        case 2: try? await device.forceQuit(app)
        case 3: try? device.system.terminate(app)
        case 4:
            await device.goOffline()
            phone.transport.setOnline(false)
        case 5, 6:
            phone.transport.setOnline(true)
            await device.goOnline()
        default:
            await device.restart()
            await device.unlock()
        }
    }

    private mutating func pass(_ duration: Duration) async throws {
        var run = self
        try await system.advance(by: duration) { run.note() }
        self = run
    }

    private var cards: [LiveActivity] {
        phone.phone.activities.shown(of: InProcessService.topic)
    }

    private mutating func note() {
        var newest: [String: Int] = [:]
        for card in cards {
            let match = card.attributes["match"]?.stringValue ?? ""
            newest[match] = max(newest[match] ?? 0, card.contentState["goals"]?.intValue ?? 0)
        }
        for (match, goals) in newest where shown[match]?.last != goals {
            shown[match, default: []].append(goals)
            system.runLog.add("\(match) shows \(goals)")
        }
    }

    // MARK: The end

    /// The faults end, the app is opened, and each match that runs gets a last state.
    private mutating func end() async throws -> (violations: [String], matchCount: Int) {
        system.runLog.add("the faults end")
        system.faults.endAll()
        try await phone.transport.deliverStray()
        phone.transport.setOnline(true)
        await phone.phone.goOnline()
        // Longer than the latest push, and than a back-off.
        try await pass(.seconds(300))
        await phone.phone.unlock()
        try await phone.phone.openApp(InProcessService.topic)
        try await pass(.seconds(60))
        for index in matches.indices where !matches[index].hasEnded { try await update(index) }
        try await pass(.seconds(30))
        var violations = shown.filter { $0.value != $0.value.sorted() }.map { "\($0.key) has shown \($0.value)" }
        for match in matches {
            let found = cards.filter { $0.attributes["match"]?.stringValue == match.id }
            if found.count > 1 { violations.append("\(match.id) is there \(found.count) times") }
            // A start that APNs has accepted and lost is told to nobody; what was shown is known to the service.
            guard !match.hasEnded, let card = found.first else { continue }
            let isNewest = card.contentState["goals"]?.intValue == match.goals
            if !isNewest { violations.append("\(match.id) shows \(card.contentState), and not \(match.goals)") }
        }
        if cards.isEmpty { violations.append("the first match has left the screen") }
        return (violations, cards.count)
    }
}
