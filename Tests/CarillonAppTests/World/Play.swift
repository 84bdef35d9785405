import CarillonApp
import CarillonCore
import CarillonDevice
import Foundation

/// One run with everything that goes wrong in it, drawn from a seed: the weather of the networks, and what a sender, a
/// backend and a person do meanwhile. ``Judge`` looks on.
@MainActor
struct Play {
    static let stepCount = 16

    struct Sent {
        var id: String
        var revision = 1
        var until: Timestamp?
        var isRecalled = false
    }

    let world: World
    private var chance: SeededGenerator
    private var sent: [Sent] = []
    private var judge: Judge

    /// Plays the run of a seed.
    ///
    /// - Returns: what was wrong, and the story.
    static func run(seed: UInt64) async throws -> (faults: [String], story: String) {
        var chance = SeededGenerator(seed: seed)
        let weather = weather(&chance)
        return try await World.run(seed: seed, weather: .fair) { world in
            var play = Play(world: world, chance: chance, judge: Judge(world: world))
            try await play.gather()
            world.fate.change(to: weather)
            for _ in 0..<stepCount { try await play.step() }
            try await play.end()
            return (play.judge.faults, world.story.text)
        }
    }

    private static func weather(_ chance: inout SeededGenerator) -> Fate.Weather {
        func level(_ most: Double) -> Double { chance.happens(0.4) ? 0 : Double.random(in: 0..<most, using: &chance) }
        return Fate.Weather(
            losesPushes: level(0.6), doublesPushes: level(0.5), latestPushSeconds: chance.below(3) * 45,
            losesOutcomes: level(0.3), losesRequests: level(0.5), losesAnswers: level(0.4), delaysRequests: level(0.3),
            delaysAnswers: level(0.3))
    }

    /// One phone or two, with or without the extension, in a hurry or throttled, with a right or a wrong clock.
    private mutating func gather() async throws {
        let skews: [Duration] = [.zero, .zero, .seconds(7200), .seconds(-7200)]
        for number in 1...(chance.happens(0.35) ? 2 : 1) {
            var rules = PhoneRules()
            rules.silentWakesPerHour = chance.happens(0.3) ? 1 + chance.below(3) : nil
            rules.wakesBeforePresenting = chance.happens(0.3)
            rules.openingCallsFetchHandlerAgain = chance.happens(0.2)
            let phone = try await world.addPhone(
                "phone-\(number)", allowed: !chance.happens(0.1), hasExtension: chance.happens(0.6),
                skew: chance.one(of: skews) ?? .zero, rules: rules)
            world.story.tell(
                "\(phone.name): extension \(phone.hasExtension), wakes an hour "
                    + "\(rules.silentWakesPerHour.map(String.init) ?? "any"), clock off by "
                    + "\((phone.phone.now - world.clock.now).wholeMilliseconds / 1000) s")
            if chance.happens(0.7) { await phone.phone.pressHome() }
        }
    }

    // MARK: What happens

    private mutating func step() async throws {
        switch chance.below(10) {
        case 0...2: try await send()
        case 3: try await replaceOrRecall()
        case 4: try await read()
        default: try await person()
        }
        try await pass(.milliseconds(Int64(chance.below(chance.happens(0.3) ? 90_000 : 15_000))))
        if chance.happens(0.3) { for phone in world.phones { try await phone.wire.deliverStray() } }
    }

    private mutating func pass(_ duration: Duration) async throws {
        var judge = judge
        try await world.advance(by: duration) { judge.look() }
        self.judge = judge
    }

    private mutating func send() async throws {
        var message = Sent(id: "m\(sent.count + 1)")
        if chance.happens(0.3) { message.until = world.clock.now + .seconds(Int64(10 + chance.below(200))) }
        try await post(message, chance.happens(0.75) ? "assured" : chance.happens(0.5) ? "visible" : "silent")
        sent.append(message)
    }

    private func post(_ message: Sent, _ mode: String) async throws {
        world.story.tell(
            "send \(message.id) revision \(message.revision), \(mode), until \(message.until.map(String.init(describing:)) ?? "ever")"
        )
        var body: [String: JSONValue] = [
            "to": ["user": .string(World.user)], "mode": .string(mode), "id": .string(message.id),
            "payload": ["aps": ["alert": ["body": .string("revision \(message.revision)")], "sound": "default"]],
        ]
        body["until"] = message.until.map { .string($0.description) }
        try await world.service.backend("POST", "/v1/notifications", .object(body))
    }

    private mutating func replaceOrRecall() async throws {
        guard let index = sent.indices.randomElement(using: &chance) else { return }
        if chance.happens(0.35) {
            sent[index].revision += 1
            sent[index].until = nil
            sent[index].isRecalled = false
            try await post(sent[index], "assured")
        } else {
            sent[index].isRecalled = true
            world.story.tell("recall \(sent[index].id)")
            try await world.service.backend("DELETE", "/v1/notifications/\(sent[index].id)")
        }
    }

    private mutating func read() async throws {
        guard let message = chance.one(of: sent) else { return }
        world.story.tell("the backend says that \(message.id) was read")
        try await world.service.backend(
            "POST", "/v1/users/\(World.user)/read", ["messages": [.string(message.id)]])
    }

    private mutating func person() async throws {
        guard let phone = chance.one(of: world.phones) else { return }
        let app = InProcessService.topic
        let device = phone.phone
        let id = chance.one(of: phone.onScreen)
        switch chance.below(12) {
        case 0:
            try await tell(phone, "opens the app") {
                if device.isLocked { await device.unlock() }; try await device.openApp(app)
            }
        case 1: try await tell(phone, "goes home") { await device.pressHome() }
        case 2, 3: try await tell(phone, "force-quits") { try await device.forceQuit(app) }
        case 4: try await tell(phone, "locks") { await device.lock() }
        case 5:
            try await tell(phone, "goes offline") {
                await device.goOffline(); phone.wire.setOnline(false)
            }
        case 6:
            try await tell(phone, "goes online") {
                phone.wire.setOnline(true); await device.goOnline()
            }
        case 7:
            try await tell(phone, "restarts") {
                await device.restart(); await device.unlock()
            }
        case 8:
            let isAllowed = chance.happens(0.6)
            try await tell(phone, "allows notifications: \(isAllowed)") {
                try device.setNotificationsAllowed(isAllowed, for: app)
            }
        case 9:
            guard let id else { return }
            phone.tapped.insert(id)
            try await tell(phone, "taps \(id)") { try await device.tap(id, in: app) }
        case 10:
            guard let id else { return }
            try await tell(phone, "dismisses \(id)") { try await device.dismiss(id, in: app) }
        default:
            guard let id = chance.one(of: sent)?.id else { return }
            world.story.tell("\(phone.name) reads \(id) in the app")
            if let id = try? MessageID(id) { phone.carillon?.markRead(id) }
        }
    }

    private func tell(_ phone: WorldPhone, _ what: String, _ act: () async throws -> Void) async throws {
        world.story.tell("\(phone.name) \(what)")
        try await act()
        world.story.tell("\(phone.name) is \(phone.phone.runningState(of: InProcessService.topic).rawValue)")
    }

    // MARK: The end

    /// The weather clears up, everybody is online, and each app is opened once more: the next contact.
    private mutating func end() async throws {
        world.story.tell("the weather clears up")
        world.fate.clearUp()
        for phone in world.phones {
            try await phone.wire.deliverStray()
            phone.wire.setOnline(true)
            await phone.phone.goOnline()
        }
        // Longer than any push is late, and than a fallback waits.
        try await pass(.seconds(240))
        for phone in world.phones {
            try await tell(phone, "opens the app") {
                if phone.phone.isLocked { await phone.phone.unlock() }
                try await phone.phone.openApp(InProcessService.topic)
            }
        }
        try await pass(.seconds(30))
        for phone in world.phones { phone.carillon?.willEnterForeground() }
        try await pass(.seconds(1))
        try await judge.finish(sent)
    }
}
