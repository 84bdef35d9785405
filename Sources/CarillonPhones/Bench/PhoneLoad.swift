import CarillonCore
import CarillonDevice
import CommandSupport
import Foundation
import UIKit

/// A benchmark that boots simulated phones, sends them pushes, and measures the CPU time and memory of the process.
@MainActor struct PhoneLoad {
    let storage: URL

    private static let bundleID = "com.example.small"
    private static let bundle = AppBundle(bundleID: bundleID, name: "Small", makeDelegate: { SmallApp() })

    private static let kibibyte = 1024.0

    func measure(phones count: Int, pushes: Int) async throws -> PhoneBenchReport {
        let first = try await timed { try await boot(0) }
        let memory = ResidentMemory.byteCount
        var booted: [Phone] = []
        let boots = try await timed { for number in 1...count { booted.append(try await boot(number)) } }
        let perPhone = Double(ResidentMemory.byteCount - memory) / Double(count) / Self.kibibyte
        let phone = first.value
        let inFront = try await cost(of: pushes, on: phone, Self.visible, .alert)
        await phone.pressHome()
        let silent = try await cost(of: pushes, on: phone, Self.silent, .background)
        for phone in booted + [phone] { await phone.shutDown() }
        let play = try await costOfPlay(times: count)
        return PhoneBenchReport(
            phones: count, pushes: pushes,
            figures: [
                .init(name: "memory per phone", key: "phone_kib", value: perPhone, limit: 2048, unit: "KiB"),
                .init(
                    name: "time to boot a phone and open its app", key: "boot_ms",
                    value: boots.seconds * 1000 / Double(count), limit: 5, unit: "ms"),
                .init(
                    name: "the same for the first phone, which reads the symbols", key: "first_boot_ms",
                    value: first.seconds * 1000, limit: nil, unit: "ms"),
                .init(
                    name: "CPU per visible push, until the foreground app responds", key: "visible_push_us",
                    value: inFront, limit: 20, unit: "µs"),
                .init(
                    name: "CPU per silent push, until the background app responds", key: "silent_push_us",
                    value: silent, limit: 20, unit: "µs"),
                .init(
                    name: "CPU per play: boot, open, three pushes, each until at rest", key: "play_us", value: play,
                    limit: 1000, unit: "µs"),
            ])
    }

    private func boot(_ number: Int) async throws -> Phone {
        let phone = Phone(
            configuration: PhoneConfiguration(
                id: "phone-\(number)", name: "Phone \(number)",
                clock: ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000)), storage: storage,
                seed: UInt64(number)))
        phone.install(Self.bundle)
        try phone.settings.setNotificationsAllowed(true, for: Self.bundleID)
        await phone.boot()
        try await phone.openApp(Self.bundleID)
        return phone
    }

    // MARK: plays

    /// Measures the cost of one run of a small scenario: a phone boots, opens its app, receives three pushes and shuts down.
    ///
    /// Tests that try many orders of events run such a scenario many times, so its cost matters.
    ///
    /// - Returns: the CPU time of the whole process for one run, in microseconds: the mean of `times` runs.
    private func costOfPlay(times: Int) async throws -> Double {
        for number in 0..<Self.warmUpPlays { try await play(number) }
        let before = ProcessUsage.now()
        for number in 0..<times { try await play(number) }
        let used = ProcessUsage.now().since(before)
        return (used.userSeconds + used.systemSeconds) * 1e6 / Double(times)
    }

    private static let warmUpPlays = 20

    private func play(_ number: Int) async throws {
        let phone = try await boot(number)
        for (payload, type) in [(Self.visible, PushType.alert), (Self.silent, .background), (Self.visible, .alert)] {
            _ = await phone.receive(try push(payload, type))
            try await phone.settled()
        }
        let count = (phone.delegate(of: Self.bundleID) as? SmallApp)?.answerCount ?? 0
        guard count == 3 else { throw BenchFailure(description: "the app responded to \(count) of 3 pushes") }
        await phone.shutDown()
    }

    // MARK: pushes

    private static let visible: JSONValue = [
        "aps": ["alert": ["title": "Breaking news", "body": "Something has happened"], "sound": "default", "badge": 1]
    ]
    private static let silent: JSONValue = ["aps": ["content-available": 1], "article": 7]

    /// Measures the cost of pushes to a phone.
    ///
    /// - Returns: the CPU time of the whole process per push, in microseconds.
    private func cost(of pushes: Int, on phone: Phone, _ payload: JSONValue, _ type: PushType) async throws -> Double {
        let push = try push(payload, type)
        try await send(push, times: PhonesLimits.warmUpPushes, to: phone)
        let before = ProcessUsage.now()
        try await send(push, times: pushes, to: phone)
        let used = ProcessUsage.now().since(before)
        return (used.userSeconds + used.systemSeconds) * 1e6 / Double(pushes)
    }

    private func push(_ payload: JSONValue, _ type: PushType) throws -> IncomingPush {
        IncomingPush(
            topic: Self.bundleID, pushType: type, payload: try payload.encoded(), collapseID: "message",
            apnsID: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    }

    private func send(_ push: IncomingPush, times: Int, to phone: Phone) async throws {
        let app = phone.delegate(of: Self.bundleID) as? SmallApp
        let before = app?.answerCount ?? 0
        for _ in 0..<times { _ = await phone.receive(push) }
        try await phone.settled()
        let after = (phone.delegate(of: Self.bundleID) as? SmallApp)?.answerCount ?? 0
        guard after - before == times else {
            throw BenchFailure(description: "the app responded to \(after - before) of \(times) pushes")
        }
    }

    private func timed<Value>(_ body: () async throws -> Value) async throws -> (value: Value, seconds: Double) {
        let start = ContinuousClock.now
        let value = try await body()
        let time = start.duration(to: .now).components
        return (value, Double(time.seconds) + Double(time.attoseconds) / 1e18)
    }
}

/// The reason why a measurement is invalid.
struct BenchFailure: Error, CustomStringConvertible { let description: String }

/// Reads the resident memory that the process uses now.
private enum ResidentMemory {
    /// The resident memory in bytes; 0 if it is not available.
    ///
    /// The value is computed from the second number in `/proc/self/statm`, a number of memory pages.
    static var byteCount: Int {
        let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}

/// An app whose window has a few views, and which reacts to every push.
private final class SmallApp: UIResponder, UIApplicationDelegate, @preconcurrency UNUserNotificationCenterDelegate {
    var window: UIWindow?
    private(set) var answerCount = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        let controller = UIViewController()
        for row in 0..<10 {
            let label = UILabel(frame: CGRect(x: 16, y: 60 + 40 * Double(row), width: 300, height: 32))
            label.text = "Row \(row)"
            controller.view.addSubview(label)
        }
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = controller
        window?.makeKeyAndVisible()
        return true
    }

    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        answerCount += userInfo["article"] as? Int == 7 ? 1 : 0
        completionHandler(.newData)
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        answerCount += 1
        completionHandler([.banner, .list, .badge])
    }
}
