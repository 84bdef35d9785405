import CarillonCore
import CarillonDevice
import CourierService
import Crypto
import Foundation
import TestSupport
import Testing
import UIKit

@testable import Courier

@MainActor @Suite("Courier: Swift 6, async methods, scenes, a service extension") struct CourierTests {
    private let id = "app.courier"

    private func run(
        strings: [String: String] = [:], _ body: @MainActor (TestPhone) async throws -> Void
    ) async throws {
        try await TestPhone.run { test in
            test.phone.install(
                AppBundle(
                    bundleID: id, name: "Courier", appGroups: [CourierService.appGroup], strings: strings,
                    usesScenes: true, makeServiceExtension: { CourierService() }, main: { CourierApp.main() }))
            try await body(test)
        }
    }

    private func openAllowed(_ test: TestPhone) async throws {
        try await test.phone.openApp(id)
        try await test.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
        try await test.phone.answerPermission(allow: true)
        try await test.phone.until("the token is there") { $0.deviceToken(of: "app.courier") != nil }
    }

    /// Returns the events that the app's screen lists, one line each.
    private func notes(_ test: TestPhone) throws -> [String] {
        test.texts(of: id).last?.components(separatedBy: "\n") ?? []
    }

    private func shown(_ test: TestPhone) -> [UNNotificationContent] {
        test.phone.deliveredNotifications(of: id).map(\.request.content)
    }

    private func letter(_ own: [String: JSONValue] = [:], alert: JSONValue = ["title": "Letter", "body": "sealed"])
        -> JSONValue
    {
        .object(own.merging(["aps": ["alert": alert, "mutable-content": 1, "category": "LETTER"]]) { one, _ in one })
    }

    @Test("its main() starts it; a cold tap comes to its scene, and a text reply to the scene that shows it")
    func scenes() async throws {
        try await run { test in
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            try await test.push(letter(), collapseID: "m1", to: id)
            try await test.phone.tap("m1", in: id)
            try await test.phone.settled()
            try await test.phone.until("the tap was heard") { _ in (try? notes(test).count) == 2 }
            #expect(try notes(test) == ["connected for m1", "opened m1"])
            await test.phone.pressHome()
            try await test.push(letter(), collapseID: "m2", to: id)
            try await test.phone.choose("REPLY", on: "m2", in: id, text: "Thanks")
            try await test.phone.settled()
            try await test.phone.until("the reply was heard") { _ in (try? notes(test).count) == 3 }
            #expect(try notes(test).last == "replied “Thanks” to m2")
            #expect(test.phone.delegateReport(of: id).nearMisses == [])
        }
    }

    @Test("a silent push takes letters back, awaited")
    func recall() async throws {
        try await run { test in
            try await openAllowed(test)
            await test.phone.pressHome()
            try await test.push(letter(), collapseID: "m1", to: id)
            let payload: JSONValue = ["aps": ["content-available": 1], "recall": ["m1"]]
            #expect(try await test.push(payload, type: .background, to: id).wake?.answer == .newData)
            #expect(shown(test).isEmpty)
        }
    }

    @Test("links, shortcuts and its settings page reach its scene, cold and warm")
    func waysIn() async throws {
        try await run { test in
            let link = try #require(URL(string: "courier://letter/1"))
            let item = UIApplicationShortcutItem(type: "write", localizedTitle: "Write")
            try await test.phone.openURL(link, in: id)
            try await test.phone.settled()
            #expect(try notes(test) == ["connected for courier://letter/1"])
            try await test.phone.until("the permission sheet is up") { $0.permissionSheet != nil }
            try await test.phone.answerPermission(allow: true)
            try await test.phone.openURL(link, in: id)
            try await test.phone.chooseShortcut(item, of: id)
            try await test.push(letter(), collapseID: "m1", to: id)
            try await test.phone.openNotificationSettings(of: id, from: "m1")
            try await test.phone.openNotificationSettings(of: id)
            try await test.phone.settled()
            #expect(
                try notes(test).dropFirst() == [
                    "link courier://letter/1", "shortcut write", "settings for m1", "settings for everything",
                ])
            try await test.phone.forceQuit(id)
            try await test.phone.chooseShortcut(item, of: id)
            #expect(try notes(test) == ["connected for write"])
        }
    }

    @Test("the extension decrypts, rewrites, attaches the downloaded picture and counts, after a force-quit too")
    func serviceExtension() async throws {
        let server = try WebServer(["/picture": .zeros(100)])
        defer { server.stop() }
        let box = try AES.GCM.seal(Data("Meet me at noon".utf8), using: CourierService.key)
        let sealed = try #require(box.combined).base64EncodedString()
        let payload = letter([
            "sealed": .string(sealed), "picture": .string(try server.url("/picture").absoluteString),
        ])
        try await run { test in
            try await openAllowed(test)
            try await test.phone.forceQuit(id)
            for number in 1...2 {
                try await test.push(payload, collapseID: "m\(number)", to: id)
                #expect(shown(test).first?.body == "Meet me at noon")
                #expect(shown(test).first?.attachments.map(\.type) == ["public.png"])
                #expect(test.phone.badge(of: id) == number)
            }
            #expect(test.phone.runningState(of: id) == .forceQuit)
            let group = try #require(test.phone.containerFolder(of: id, appGroup: CourierService.appGroup))
            #expect(try String(contentsOf: group.appending(path: "count"), encoding: .utf8) == "2")
        }
    }

    @Test("a picture that never comes: after 30 s the extension gives its best attempt, and without one the original")
    func timeOut() async throws {
        let server = try WebServer(["/never": .silent])
        defer { server.stop() }
        let slow = letter(["picture": .string(try server.url("/never").absoluteString)])
        try await run { test in
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            test.phone.receiveLater(try TestPhone.push(slow, collapseID: "m1", to: id))
            for await _ in server.requests { break }
            test.clock.advance(by: .seconds(30))
            try await test.phone.settled()
            #expect(shown(test).map(\.title) == ["Letter (without its picture)"])
        }
    }

    @Test("an offline phone's extension cannot fetch the picture, and shows the letter without it")
    func offline() async throws {
        let server = try WebServer(["/picture": .zeros(100)])
        defer { server.stop() }
        let payload = letter(["picture": .string(try server.url("/picture").absoluteString)])
        try await run { test in
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            // It has arrived just before the network went.
            await test.phone.goOffline()
            try await test.push(payload, collapseID: "m1", to: id)
            #expect(shown(test).map(\.attachments.count) == [0])
            #expect(server.paths == [])
        }
    }

    @Test("loc-keys come from the app's strings, before the extension sees them")
    func locKeys() async throws {
        try await run(strings: ["FROM": "Letter from %@", "ABOUT": "%2$@ asks about %1$@"]) { test in
            try test.phone.settings.setNotificationsAllowed(true, for: id)
            let alert: JSONValue = [
                "title-loc-key": "FROM", "title-loc-args": ["Ada"], "loc-key": "ABOUT", "loc-args": ["tea", "Ada"],
            ]
            try await test.push(letter(alert: alert), collapseID: "m1", to: id)
            #expect(shown(test).map(\.title) == ["Letter from Ada"])
            #expect(shown(test).map(\.body) == ["Ada asks about tea"])
        }
    }
}
