import ActivityKit
import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import TestSupport
import Testing
import UIKit
import UserNotifications

// The code of docs/live-activities.md.

struct OrderAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var stops: Int
    }

    var order: String
}

/// An app with the SDK, which registers one type of Live Activities.
private final class OrderApp: UIResponder, UIApplicationDelegate {
    private(set) var carillon: Carillon?
    private let configuration: Carillon.Configuration

    init(_ configuration: Carillon.Configuration) { self.configuration = configuration }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let carillon = Carillon(configuration: configuration, appGroup: nil)
        carillon.liveActivities.register(OrderAttributes.self) { $0.order }
        carillon.start(launchOptions: launchOptions)
        carillon.signIn()
        self.carillon = carillon
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) { carillon?.didRegisterForRemoteNotifications(withDeviceToken: deviceToken) }
}

/// A Live Activity from a backend's call to the lock screen, by the real service, APNs and an app with the SDK.
@MainActor @Suite("Live Activities through the service", .serialized, .timeLimit(.minutes(5)))
struct LiveActivityServiceTests {
    private nonisolated static let topic = "com.example.order"

    private struct Order {
        let app: AppUnderTest
        let backend: ServiceAndPhone

        @MainActor var stops: [Int?] { app.liveActivities.map { $0.contentState["stops"]?.intValue } }

        @discardableResult
        func start(_ id: String, stops: Int = 9) async throws -> JSONValue {
            try await backend.call(
                "POST", "/v1/live-activities",
                #"""
                {"id": "\#(id)", "to": {"user": "ada"}, "attributes-type": "OrderAttributes",
                 "attributes": {"order": "\#(id)"}, "content-state": {"stops": \#(stops)},
                 "alert": {"title": "Your order", "body": "Nine stops to go"}}
                """#)
        }

        @discardableResult
        func update(_ id: String, stops: Int) async throws -> JSONValue {
            try await backend.call("PATCH", "/v1/live-activities/\(id)", #"{"content-state": {"stops": \#(stops)}}"#)
        }

        /// Waits until the service counts the order's phone in one of these states.
        func wait(_ id: String, _ states: [String]) async throws {
            while true {
                let phones = try await backend.call("GET", "/v1/live-activities/\(id)")["phones"]?.objectValue ?? [:]
                if states.contains(where: { phones[$0] != nil }) { return }
                await Task.yield()
            }
        }
    }

    private func run(
        phonesWithTokens: Int = 500, _ body: @MainActor (Order) async throws -> Void
    ) async throws {
        try await ServiceAndPhone.run(topic: Self.topic) {
            $0.activityPhonesWithTokens = phonesWithTokens
        } bundle: { backend in
            let secret = backend.signInSecret
            let configuration = Carillon.Configuration(
                service: backend.base, topic: Self.topic, environment: .sandbox,
                signInToken: {
                    let now = SystemClock().now
                    return try SignInToken.make(
                        user: "ada", topic: Self.topic, issued: now, expires: now + .seconds(300), secret: secret)
                })
            var bundle = AppBundle(
                bundleID: Self.topic, name: "Order", environment: .sandbox,
                makeDelegate: { OrderApp(configuration) })
            bundle.supportsLiveActivities = true
            bundle.liveActivities = [
                LiveActivityLayout(for: OrderAttributes.self) { order, state in
                    LiveActivityCard(title: order.order, lines: ["\(state.stops) stops"])
                }
            ]
            return bundle
        } body: { app, backend in
            try await app.open()
            try await app.phone.until("the phone has a token to start with") { _ in
                app.phone.activities.startToken(of: Self.topic) != nil
                    && app.delegate(as: OrderApp.self)?.carillon?.user == "ada"
            }
            try await app.phone.settled()
            try await body(Order(app: app, backend: backend))
        }
    }

    @Test("a push starts it while the app is suspended, its token travels, and updates and the end arrive")
    func wholeLife() async throws {
        try await run { order in
            try await order.app.suspend()
            try await order.start("order-1")
            try await order.app.phone.until("the card is there") { _ in order.stops == [9] }
            try await order.wait("order-1", ["current"])
            try await order.update("order-1", stops: 4)
            try await order.app.phone.until("the card is new") { _ in order.stops == [4] }
            #expect(order.app.liveActivities.first?.card?.title == "order-1")
            try await order.backend.call(
                "POST", "/v1/live-activities/order-1/end", #"{"content-state": {"stops": 0}}"#)
            try await order.app.phone.until("it has ended") { _ in order.app.liveActivities.first?.state == .ended }
            #expect(order.stops == [0])
            try await order.wait("order-1", ["ended", "gone"])
        }
    }

    @Test("of several updates while the phone is offline, only the newest arrives")
    func offline() async throws {
        try await run { order in
            try await order.start("order-2")
            try await order.app.phone.until("the card is there") { _ in order.stops == [9] }
            try await order.wait("order-2", ["current"])
            await order.app.phone.goOffline()
            for stops in [7, 5, 3] { try await order.update("order-2", stops: stops) }
            try await order.wait("order-2", ["current"])
            await order.app.phone.goOnline()
            try await order.app.phone.until("the card is new") { _ in order.stops == [3] }
            let updates = order.app.phone.pushLog.filter { $0.notes.contains { $0.hasPrefix("updated") } }
            #expect(updates.count == 1)
        }
    }

    @Test("a sign-out takes it off the screen at once, and the service sends it no more")
    func signOut() async throws {
        try await run { order in
            try await order.start("order-3")
            try await order.app.phone.until("the card is there") { _ in order.stops == [9] }
            try await order.wait("order-3", ["current"])
            let app = order.app
            await app.phone.run(in: app.bundleID) {
                Task { await app.delegate(as: OrderApp.self)?.carillon?.signOut() }
            }
            try await app.phone.until("it is gone") { _ in app.liveActivities.isEmpty }
            try await order.wait("order-3", ["gone", "ended"])
            try await order.update("order-3", stops: 1)
            try await app.phone.settled()
            #expect(app.liveActivities.isEmpty)
        }
    }

    @Test("what the person dismisses is not updated, and what the app starts twice is on the screen once")
    func dismissedAndTwice() async throws {
        try await run { order in
            try await order.start("order-4")
            try await order.app.phone.until("the card is there") { _ in order.stops == [9] }
            try await order.wait("order-4", ["current"])
            let app = order.app
            await app.phone.run(in: app.bundleID) {
                _ = try? Activity.request(
                    attributes: OrderAttributes(order: "order-4"),
                    content: ActivityContent(state: .init(stops: 8), staleDate: nil), pushType: .token)
            }
            try await app.phone.until("the one with the service's state is left") { _ in order.stops == [9] }
            try await order.update("order-4", stops: 2)
            try await app.phone.until("it is updated") { _ in order.stops == [2] }
            let shown = try #require(app.liveActivities.first)
            try app.phone.activities.dismiss(shown.id, of: app.bundleID)
            try await order.wait("order-4", ["gone"])
        }
    }

    @Test("the backend sees what the screen shows: the newest content, one that does not decode, and the dismissal")
    func receipts() async throws {
        try await run { order in
            let (app, phone) = (order.app, order.app.phone)
            func until(_ receipts: JSONValue) async throws {
                while try await order.backend.call("GET", "/v1/live-activities/order-5")["receipts"] != receipts {
                    await Task.yield()
                }
            }
            try await order.start("order-5")
            try await until(["started": 1, "updated": 1])
            try await order.wait("order-5", ["current"])
            try await order.update("order-5", stops: 4)
            try await phone.until("the card is new") { _ in order.stops == [4] }
            try await phone.settled()
            try await app.advance(by: .seconds(30))
            try await until(["started": 1, "updated": 1])
            try await app.suspend()
            try await order.backend.call(
                "PATCH", "/v1/live-activities/order-5", #"{"content-state": {"stops": "four"}}"#)
            try await order.wait("order-5", ["current"])
            try await app.advance(by: .seconds(30))
            #expect(order.stops == [4])
            try await app.open()
            try await until(["started": 1, "undecodable": 1])
            let timeline = try await order.backend.call("GET", "/v1/live-activities/order-5/timeline")
            let events = timeline["phones"]?.arrayValue?.first?["events"]?.arrayValue ?? []
            let undecodable = events.first { $0["event"] == "undecodable" }
            #expect(undecodable?["detail"] == "content-state: stops must be Int", "\(timeline)")
            #expect(undecodable?["timestamp"] == timeline["timestamp"])
            let shown = try #require(app.liveActivities.first)
            try phone.activities.dismiss(shown.id, of: app.bundleID)
            try await until(["started": 1, "undecodable": 1, "dismissed": 1])
        }
    }

    @Test("above a number of phones a channel carries it, from the start to the end")
    func channel() async throws {
        try await run(phonesWithTokens: 0) { order in
            try await order.app.suspend()
            let answer = try await order.start("order-6")
            #expect(answer["channels"]?.arrayValue?.first?["state"] == "making", "\(answer)")
            try await order.app.phone.until("the card is there") { _ in order.stops == [9] }
            try await order.wait("order-6", ["current"])
            #expect(order.app.liveActivities.first?.pushToken == nil)
            try await order.update("order-6", stops: 4)
            try await order.app.phone.until("the card is new") { _ in order.stops == [4] }
            let report = try await order.backend.call("GET", "/v1/live-activities/order-6")
            #expect(report["channels"] == [["environment": "sandbox", "state": "open"]], "\(report)")
            try await order.backend.call("DELETE", "/v1/live-activities/order-6")
            try await order.app.phone.until("it has ended") { _ in order.app.liveActivities.first?.state == .ended }
            try await order.wait("order-6", ["ended", "gone"])
        }
    }

    @Test("what the app has started with a token moves to the channel, and stays on the screen once")
    func moves() async throws {
        try await run(phonesWithTokens: 0) { order in
            let app = order.app
            await app.phone.run(in: app.bundleID) {
                _ = try? Activity.request(
                    attributes: OrderAttributes(order: "order-7"),
                    content: ActivityContent(state: .init(stops: 8), staleDate: nil), pushType: .token)
            }
            try await app.phone.until("the app's own is there") { _ in order.stops == [8] }
            try await app.phone.settled()
            try await order.start("order-7")
            try await app.phone.until("the one of the channel has taken its place") { _ in order.stops == [9] }
            try await order.wait("order-7", ["current"])
            try await order.update("order-7", stops: 1)
            try await app.phone.until("the card is new") { _ in order.stops == [1] }
        }
    }
}
