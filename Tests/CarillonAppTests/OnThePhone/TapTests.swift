import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Testing
import UIKit
import UserNotifications

@MainActor
@Suite("Every message and every tap reaches the app once")
struct TapTests {
    @Test("in the foreground iOS calls twice, and the app hears once")
    func foreground() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(fixture.onScreen == ["m1"])
            #expect(Set(fixture.service.receipts) == ["received m1", "shown m1"])
        }
    }

    @Test("a tap on a suspended app's notification is told once, with its message first")
    func warmTap() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            try await fixture.push(
                ["aps": ["alert": "Breaking News!"], "carillon": ["v": 1, "id": "m1"]], type: .alert, collapseID: "m1")
            try await fixture.phone.tap("m1", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(
                fixture.callbackLog.lines.filter { !$0.hasPrefix("permission") } == [
                    "message m1: Breaking News!", "response m1: open",
                ])
            #expect(fixture.service.receipts.filter { $0 == "opened m1" }.count == 1)
        }
    }

    @Test("a cold tap waits until the app is ready, and then comes once")
    func coldTap() async throws {
        try await AppFixture.run { fixture in
            var plan = try fixture.plan()
            plan.isReadyAtLaunch = false
            try await fixture.suspended(plan)
            try await fixture.phone.forceQuit(AppFixture.bundleID)
            try await fixture.visible("m1")
            try await fixture.phone.tap("m1", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(!fixture.callbackLog.lines.contains("response m1: open"))
            fixture.app?.carillon?.appIsReady()
            try await fixture.settle()
            #expect(
                fixture.callbackLog.lines.filter { !$0.hasPrefix("permission") } == [
                    "message m1: text", "response m1: open",
                ])
            #expect(fixture.service.receipts.filter { $0.hasPrefix("opened") } == ["opened m1"])
        }
    }

    @Test("a message without an id of Carillon's reaches the app once too")
    func unnamed() async throws {
        try await AppFixture.run { fixture in
            try await fixture.openAllowed()
            try await fixture.push(["aps": ["alert": "A", "content-available": 1]], type: .alert)
            try await fixture.settle()
            try await fixture.push(["aps": ["alert": "A", "content-available": 1]], type: .alert)
            try await fixture.settle()
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") }.count == 2)
            #expect(fixture.service.receipts.isEmpty)
        }
    }

    @Test("actions reach the app with what was written, and become receipts")
    func actions() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.app?.carillon?.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "C",
                    actions: [
                        UNNotificationAction(identifier: "VIEW", title: "View", options: [.foreground]),
                        UNTextInputNotificationAction(
                            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
                            textInputPlaceholder: ""),
                    ], intentIdentifiers: [], options: [.customDismissAction])
            ])
            for id in ["m1", "m2", "m3"] {
                try await fixture.push(
                    ["aps": ["alert": "A", "category": "C"], "carillon": ["v": 1, "id": .string(id)]], type: .alert,
                    collapseID: id)
            }
            try await fixture.phone.choose("REPLY", on: "m1", in: AppFixture.bundleID, text: "Yes")
            try await fixture.phone.settled()
            #expect(fixture.callbackLog.lines.last == "response m1: replied(\"REPLY\", text: \"Yes\")")
            try await fixture.phone.dismiss("m2", in: AppFixture.bundleID)
            try await fixture.phone.choose("VIEW", on: "m3", in: AppFixture.bundleID)
            try await fixture.settle()
            #expect(fixture.callbackLog.lines.last == "response m3: chose(\"VIEW\")")
            #expect(
                fixture.service.receipts.filter { !$0.hasPrefix("shown") && !$0.hasPrefix("received") } == [
                    "opened m1", "acted m1 REPLY", "dismissed m2", "opened m3", "acted m3 VIEW",
                ])
        }
    }

    @Test("a visible push that comes in the background reaches the app, though nobody is the center's delegate yet")
    func beforeDelegate() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.app?.center?.delegate = nil
            let trace = try await fixture.visible("m1")
            try await fixture.settle()
            #expect(fixture.onScreen == ["m1"] && trace.wake?.answer == .newData)
            #expect(fixture.callbackLog.lines.filter { $0.hasPrefix("message") } == ["message m1: text"])
            #expect(fixture.service.receipts == ["received m1", "shown m1"])
        }
    }

    @Test("a dismissal is told only where the app's category asks for it", arguments: [true, false])
    func dismissed(asks: Bool) async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.app?.carillon?.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "C", actions: [], intentIdentifiers: [], options: asks ? [.customDismissAction] : [])
            ])
            try await fixture.push(
                ["aps": ["alert": "A", "category": "C"], "carillon": ["v": 1, "id": "m1"]], type: .alert,
                collapseID: "m1")
            try await fixture.phone.dismiss("m1", in: AppFixture.bundleID)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.receipts.contains("dismissed m1") == asks)
            #expect(fixture.callbackLog.lines.contains("response m1: dismiss") == asks)
        }
    }

    @Test(
        "what a person types is told to the service only where the message asks for it, whole characters up to 1000 bytes"
    )
    func replies() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.app?.carillon?.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "C",
                    actions: [
                        UNTextInputNotificationAction(
                            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
                            textInputPlaceholder: "")
                    ], intentIdentifiers: [], options: [.customDismissAction])
            ])
            let long = String(repeating: "é", count: 600)
            for (id, keepsReplies, text) in [
                ("m1", true, "Yes 👍"), ("m2", false, "private"), ("m3", true, long), ("m4", true, ""),
            ] {
                var key: [String: JSONValue] = ["v": 1, "id": .string(id)]
                if keepsReplies { key["reply"] = true }
                try await fixture.push(
                    ["aps": ["alert": "A", "category": "C"], "carillon": .object(key)], type: .alert, collapseID: id)
                try await fixture.phone.choose("REPLY", on: id, in: AppFixture.bundleID, text: text)
            }
            try await fixture.settle()
            let told = fixture.service[\.receipts].filter { $0.event == .acted }
            #expect(told.map(\.message.rawValue) == ["m1", "m2", "m3", "m4"])
            #expect(told.map(\.reply) == ["Yes 👍", nil, String(repeating: "é", count: 500), ""])
            // The app itself hears the whole of each.
            #expect(fixture.callbackLog.lines.contains("response m2: replied(\"REPLY\", text: \"private\")"))
            #expect(fixture.callbackLog.lines.contains("response m3: replied(\"REPLY\", text: \"\(long)\")"))
        }
    }

    @Test("an action that does not mark its message as read leaves it unread, whatever launches the app for it")
    func leavesUnread() async throws {
        try await AppFixture.run { fixture in
            try await fixture.suspended()
            fixture.app?.carillon?.setNotificationCategories(
                [
                    UNNotificationCategory(
                        identifier: "C",
                        actions: [
                            UNNotificationAction(identifier: "LATER", title: "Later", options: []),
                            UNNotificationAction(identifier: "DONE", title: "Done", options: []),
                        ], intentIdentifiers: [], options: [.customDismissAction])
                ], leavingUnread: ["LATER"])
            for id in ["m1", "m2"] {
                try await fixture.push(
                    ["aps": ["alert": "A", "category": "C"], "carillon": ["v": 1, "id": .string(id)]], type: .alert,
                    collapseID: id)
            }
            try await fixture.phone.choose("LATER", on: "m1", in: AppFixture.bundleID)
            try await fixture.phone.choose("DONE", on: "m2", in: AppFixture.bundleID)
            try await fixture.settle()
            let reactions = fixture.service.receipts.filter { !$0.hasPrefix("shown") && !$0.hasPrefix("received") }
            #expect(reactions == ["acted m1 LATER", "opened m2", "acted m2 DONE"])
        }
    }
}
