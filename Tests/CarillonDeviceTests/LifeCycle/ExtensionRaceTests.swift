import CarillonCore
import CarillonDevice
import Foundation
import Testing
import UIKit

/// A service extension ends with its answer: what it has asked right before is lost.
@MainActor @Suite("A service extension that answers too early") struct ExtensionRaceTests {
    private func run(
        rules: PhoneRules = PhoneRules(), _ way: HastyExtension.Way,
        _ body: @MainActor (TestPhone, PushTrace) async throws -> Void
    ) async throws {
        try await TestPhone.run(rules: rules) { test in
            try await test.extensionApp { _ in HastyExtension.going(way) }
            try await test.push(["aps": ["alert": "old"]], collapseID: "m1")
            let push = try await test.push(["aps": ["alert": "new", "mutable-content": 1]], collapseID: "m2")
            try await body(test, push)
        }
    }

    @Test("a removal right before the answer is lost, and the trace says so", arguments: [true, false])
    func removal(_ waits: Bool) async throws {
        var rules = PhoneRules()
        rules.removalsNeedTheAppRunning = waits
        try await run(rules: rules, .removes) { test, push in
            #expect(test.shown.map(\.identifier) == (waits ? ["m2", "m1"] : ["m2"]))
            #expect(push.notes.contains { $0.hasPrefix("lost: the service extension called remove") } == waits)
            try await test.phone.openApp(TestPhone.bundleID)
            try await test.phone.settled()
            #expect(test.shown.count == (waits ? 2 : 1), "lost for good")
        }
    }

    @Test("a removal whose effect the extension has seen has happened")
    func barrier() async throws {
        try await run(.waits) { test, push in
            #expect(test.shown.map(\.identifier) == ["m2"])
            #expect(!push.notes.contains { $0.hasPrefix("lost") })
        }
    }

    @Test("categories set right before the answer are lost, so there are no buttons", arguments: [true, false])
    func categories(_ needTime: Bool) async throws {
        var rules = PhoneRules()
        rules.extensionCategoriesNeedTime = needTime
        try await run(rules: rules, .declares) { test, push in
            #expect(test.phone.categories(of: TestPhone.bundleID).isEmpty == needTime)
            #expect(push.notes.contains { $0.contains("called setNotificationCategories right before") } == needTime)
        }
    }

    @Test("an answer in serviceExtensionTimeWillExpire is said to be one, and not to have handled it")
    func expiring() async throws {
        try await TestPhone.run { test in
            try await test.extensionApp { _ in HastyExtension.going(.expires) }
            test.phone.receiveLater(
                try TestPhone.push(["aps": ["alert": "Hello", "mutable-content": 1]], collapseID: "m1"))
            try await test.phone.until("the extension works") { !$0.traces.isEmpty }
            try await test.phone.settled()
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            let notes = try #require(test.phone.pushLog.last).notes
            #expect(notes.contains { $0.contains("answered in serviceExtensionTimeWillExpire") }, "\(notes)")
            #expect(!notes.contains("the service extension has handled it"))
        }
    }
}

/// Asks the center for something, and answers at once or later.
private final class HastyExtension: UNNotificationServiceExtension {
    enum Way { case removes, waits, declares, expires }

    private var way = Way.removes
    private var kept: (() -> Void)?

    static func going(_ way: Way) -> HastyExtension {
        let made = HastyExtension()
        made.way = way
        return made
    }

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        let center = UNUserNotificationCenter.current()
        let content = request.content
        switch way {
        case .removes:
            center.removeDeliveredNotifications(withIdentifiers: ["m1"])
            contentHandler(content)
        case .waits:
            center.removeDeliveredNotifications(withIdentifiers: ["m1"])
            center.getDeliveredNotifications { _ in contentHandler(content) }
        case .declares:
            center.setNotificationCategories([.withSecretAction])
            contentHandler(content)
        case .expires: kept = { contentHandler(content) }
        }
    }

    override func serviceExtensionTimeWillExpire() { kept?() }
}
