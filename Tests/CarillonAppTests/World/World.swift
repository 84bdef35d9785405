import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation

/// The service, the air, and phones with the SDK, all on one manual clock: a whole delivery in one process.
@MainActor
final class World {
    static let user = "ada"
    private static var lastNumber = 0

    let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
    let service: InProcessService
    let fate: Fate
    let air: Air
    let story: Story
    private(set) var phones: [WorldPhone] = []
    private let folder: URL

    private init(seed: UInt64, weather: Fate.Weather) async throws {
        Self.lastNumber += 1
        folder = Self.memory.appending(
            path: "carillon-world-\(ProcessInfo.processInfo.processIdentifier)-\(Self.lastNumber)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        story = Story(clock: clock)
        fate = Fate(seed: seed, weather)
        air = Air(fate: fate, clock: clock, story: story)
        service = try await InProcessService(folder: folder, clock: clock, sender: air)
    }

    /// Where writing to disk does not wait for one, if the machine has such a place.
    private static var memory: URL {
        let shared = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        return FileManager.default.isWritableFile(atPath: shared.path)
            ? shared : FileManager.default.temporaryDirectory
    }

    /// Runs `body` in a world of its own, and cleans up after it whatever happens.
    static func run<Value>(
        seed: UInt64 = 1, weather: Fate.Weather = .fair, _ body: @MainActor (World) async throws -> Value
    ) async throws -> Value {
        let world = try await World(seed: seed, weather: weather)
        let result: Result<Value, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        for phone in world.phones { await phone.phone.shutDown() }
        try world.service.close()
        try? FileManager.default.removeItem(at: world.folder)
        return try result.get()
    }

    /// Adds a phone that is online, with the app in front and notifications allowed or not.
    @discardableResult
    func addPhone(
        _ name: String, user: String? = user, allowed: Bool = true, hasExtension: Bool = true, skew: Duration = .zero,
        rules: PhoneRules = PhoneRules()
    ) async throws -> WorldPhone {
        guard let token = DeviceToken(Data("token of \(name)".utf8)) else { throw URLError(.badURL) }
        let wire = Wire(name, service: service, fate: fate, clock: clock, story: story)
        let phone = WorldPhone(
            name, world: self, service: service, wire: wire, link: AirLink(air: air, token: token), storage: folder,
            hasExtension: hasExtension, skew: skew, rules: rules)
        phones.append(phone)
        await phone.phone.boot()
        try phone.install(user: user)
        try await phone.phone.openApp(InProcessService.topic)
        if user != nil { phone.carillon?.signIn() }
        try await phone.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await phone.phone.answerPermission(allow: allowed)
        try await settle()
        return phone
    }

    // MARK: Time

    /// Lets time pass, from one thing that is due to the next.
    func advance(by duration: Duration, afterEach look: () throws -> Void = {}) async throws {
        let target = clock.now + duration
        while true {
            try await settle()
            try look()
            let due = [clock.nextDeadline, try await service.store.nextDue(except: [])].compactMap(\.self).min()
            guard let due, due <= target else { break }
            clock.advance(to: max(due, clock.now))
        }
        clock.advance(to: target)
        try await settle()
        try look()
    }

    /// Lets everybody do what can be done without time passing.
    func settle() async throws {
        repeat {
            try await service.sendDue()
            await quiesce()
        } while try await isSomethingDue()
        for phone in phones { phone.look() }
    }

    private func isSomethingDue() async throws -> Bool {
        guard let due = try await service.store.nextDue(except: []) else { return false }
        return due <= clock.now
    }

    /// Returns when neither a phone nor an app on it moves: whatever it waits for comes with time.
    private func quiesce() async {
        var idleRounds = 0
        for _ in 0..<Self.roundLimit where idleRounds < 4 {
            let before = phones.map(\.wire.requestCount)
            await rest()
            let isBusy = phones.contains { $0.wire.isBusy || $0.phone.isCallUnderWay }
            let hasMoved = before != phones.map(\.wire.requestCount)
            // Only what waits for an answer that takes its time leaves a phone unsettled.
            let canRest = phones.allSatisfy { $0.phone.isSettled || $0.wire.isWaiting }
            if isBusy || hasMoved || !canRest { idleRounds = 0 } else { idleRounds += 1 }
        }
    }

    private static let roundLimit = 5000

    /// Gives way to everything that is ready to run, on the main queue and off it.
    private func rest() async {
        for _ in 0..<3 {
            await Task.detached {}.value
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
        }
    }
}
