import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation

/// One random run: network conditions, and what a backend and a person do, all drawn from a seed.
///
/// ``Invariants`` are checked meanwhile.
@MainActor
struct RandomRun {
    static let stepCount = 16

    struct Sent {
        var id: String
        var revision = 1
        var until: Timestamp?
        var isRecalled = false
    }

    let system: TestSystem
    private var random: SeededGenerator
    private var sent: [Sent] = []
    private var invariants: Invariants

    /// Executes the run of a seed; returns the violated invariants, and the run's log.
    static func run(seed: UInt64) async throws -> (violations: [String], runLog: String) {
        var random = SeededGenerator(seed: seed)
        let conditions = conditions(&random)
        return try await TestSystem.run(seed: seed, conditions: .faultless) { system in
            var run = RandomRun(system: system, random: random, invariants: Invariants(system: system))
            try await run.addPhones()
            system.faults.change(to: conditions)
            for _ in 0..<stepCount { try await run.step() }
            try await run.end()
            return (run.invariants.violations, system.runLog.text)
        }
    }

    private static func conditions(_ random: inout SeededGenerator) -> FaultModel.NetworkConditions {
        func level(_ most: Double) -> Double { random.happens(0.4) ? 0 : Double.random(in: 0..<most, using: &random) }
        return FaultModel.NetworkConditions(
            losesPushes: level(0.6), doublesPushes: level(0.5), latestPushSeconds: random.below(3) * 45,
            losesOutcomes: level(0.3), losesRequests: level(0.5), losesAnswers: level(0.4), delaysRequests: level(0.3),
            delaysAnswers: level(0.3))
    }

    /// One phone or two, with or without the extension, throttled or not, with a right or a wrong clock.
    private mutating func addPhones() async throws {
        let skews: [Duration] = [.zero, .zero, .seconds(7200), .seconds(-7200)]
        for number in 1...(random.happens(0.35) ? 2 : 1) {
            var rules = PhoneRules()
            rules.silentWakesPerHour = random.happens(0.3) ? 1 + random.below(3) : nil
            rules.wakesBeforePresenting = random.happens(0.3)
            rules.openingCallsFetchHandlerAgain = random.happens(0.2)
            let phone = try await system.addPhone(
                "phone-\(number)", allowed: !random.happens(0.1), hasExtension: random.happens(0.6),
                skew: random.one(of: skews) ?? .zero, rules: rules)
            system.runLog.add(
                "\(phone.name): extension \(phone.hasExtension), wakes an hour "
                    + "\(rules.silentWakesPerHour.map(String.init) ?? "any"), clock off by "
                    + "\((phone.phone.now - system.clock.now).wholeMilliseconds / 1000) s")
            if random.happens(0.7) { await phone.phone.pressHome() }
        }
    }

    // MARK: What happens

    private mutating func step() async throws {
        switch random.below(10) {
        case 0...2: try await send()
        case 3: try await replaceOrRecall()
        case 4: try await read()
        default: try await actAsPerson()
        }
        try await pass(.milliseconds(Int64(random.below(random.happens(0.3) ? 90_000 : 15_000))))
        if random.happens(0.3) { for phone in system.phones { try await phone.transport.deliverStray() } }
    }

    private mutating func pass(_ duration: Duration) async throws {
        var invariants = invariants
        try await system.advance(by: duration) { invariants.checkScreens() }
        self.invariants = invariants
    }

    private mutating func send() async throws {
        var message = Sent(id: "m\(sent.count + 1)")
        if random.happens(0.3) { message.until = system.clock.now + .seconds(Int64(10 + random.below(200))) }
        try await post(message, random.happens(0.75) ? "assured" : random.happens(0.5) ? "visible" : "silent")
        sent.append(message)
    }

    private func post(_ message: Sent, _ mode: String) async throws {
        system.runLog.add(
            "send \(message.id) revision \(message.revision), \(mode), until \(message.until.map(String.init(describing:)) ?? "ever")"
        )
        var body: [String: JSONValue] = [
            "to": ["user": .string(TestSystem.user)], "mode": .string(mode), "id": .string(message.id),
            "payload": ["aps": ["alert": ["body": .string("revision \(message.revision)")], "sound": "default"]],
        ]
        body["until"] = message.until.map { .string($0.description) }
        try await system.service.backend("POST", "/v1/notifications", .object(body))
    }

    private mutating func replaceOrRecall() async throws {
        guard let index = sent.indices.randomElement(using: &random) else { return }
        if random.happens(0.35) {
            sent[index].revision += 1
            sent[index].until = nil
            sent[index].isRecalled = false
            try await post(sent[index], "assured")
        } else {
            sent[index].isRecalled = true
            let hasNotice = random.happens(0.5)
            system.runLog.add("recall \(sent[index].id)\(hasNotice ? ", with a notice" : "")")
            let path = "/v1/notifications/\(sent[index].id)"
            if hasNotice {
                try await system.service.backend("POST", "\(path)/recall", ["notice": ["body": "It was withdrawn."]])
            } else {
                try await system.service.backend("DELETE", path)
            }
        }
    }

    private mutating func read() async throws {
        guard let message = random.one(of: sent) else { return }
        system.runLog.add("the backend says that \(message.id) was read")
        try await system.service.backend(
            "POST", "/v1/users/\(TestSystem.user)/read", ["messages": [.string(message.id)]])
    }

    private mutating func actAsPerson() async throws {
        guard let phone = random.one(of: system.phones) else { return }
        let app = InProcessService.topic
        let device = phone.phone
        let id = random.one(of: phone.onScreen)
        switch random.below(12) {
        case 0:
            try await perform(phone, "opens the app") {
                if device.isLocked { await device.unlock() }; try await device.openApp(app)
            }
        case 1: try await perform(phone, "goes home") { await device.pressHome() }
        case 2, 3: try await perform(phone, "force-quits") { try await device.forceQuit(app) }
        case 4: try await perform(phone, "locks") { await device.lock() }
        case 5:
            try await perform(phone, "goes offline") {
                await device.goOffline(); phone.transport.setOnline(false)
            }
        case 6:
            try await perform(phone, "goes online") {
                phone.transport.setOnline(true); await device.goOnline()
            }
        case 7:
            try await perform(phone, "restarts") {
                await device.restart(); await device.unlock()
            }
        case 8:
            let isAllowed = random.happens(0.6)
            try await perform(phone, "allows notifications: \(isAllowed)") {
                try device.settings.setNotificationsAllowed(isAllowed, for: app)
            }
        case 9:
            guard let id else { return }
            phone.tapped.insert(id)
            try await perform(phone, "taps \(id)") { try await device.tap(id, in: app) }
        case 10:
            guard let id else { return }
            try await perform(phone, "dismisses \(id)") { try await device.dismiss(id, in: app) }
        default:
            guard let id = random.one(of: sent)?.id else { return }
            system.runLog.add("\(phone.name) reads \(id) in the app")
            if let id = try? MessageID(id) { phone.carillon?.markRead(id) }
        }
    }

    private func perform(_ phone: TestSystemPhone, _ what: String, _ act: () async throws -> Void) async throws {
        system.runLog.add("\(phone.name) \(what)")
        try await act()
        system.runLog.add("\(phone.name) is \(phone.phone.runningState(of: InProcessService.topic).rawValue)")
    }

    // MARK: The end

    /// The faults end, all phones are online, and each app is opened once more: the last contact.
    private mutating func end() async throws {
        system.runLog.add("the faults end")
        system.faults.endAll()
        for phone in system.phones {
            try await phone.transport.deliverStray()
            phone.transport.setOnline(true)
            await phone.phone.goOnline()
        }
        // Longer than the latest push, and than a fallback waits.
        try await pass(.seconds(240))
        for phone in system.phones {
            try await perform(phone, "opens the app") {
                if phone.phone.isLocked { await phone.phone.unlock() }
                try await phone.phone.openApp(InProcessService.topic)
            }
        }
        try await pass(.seconds(30))
        for phone in system.phones { phone.carillon?.willEnterForeground() }
        try await pass(.seconds(1))
        try await invariants.finish(sent)
    }
}
