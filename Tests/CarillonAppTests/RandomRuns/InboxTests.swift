import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import CarillonServer
import Foundation
import Testing
import UserNotifications

@MainActor
@Suite("The inbox, from the service to the app")
struct InboxTests {
    private func send(_ system: TestSystem, _ id: String, _ extra: [String: JSONValue] = [:]) async throws {
        let body: [String: JSONValue] = [
            "to": ["user": "ada"], "payload": ["aps": ["alert": "Hello"]], "id": .string(id),
        ]
        let answer = try await system.service.backend(
            "POST", "/v1/notifications", .object(body.merging(extra) { _, new in new }))
        #expect(answer.status == 202)
    }

    private func lines(_ phone: TestSystemPhone) -> [String] {
        (phone.carillon?.inbox ?? []).map { "\($0.id) \($0.isRead ? "read" : "unread")" }
    }

    @Test("what was missed is fetched at the next launch, and is there offline and after a force-quit")
    func missed() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            try await phone.phone.forceQuit(InProcessService.topic)
            await phone.phone.goOffline()
            system.faults.change(to: FaultModel.NetworkConditions(losesPushes: 1))
            try await send(system, "m1")
            try await send(system, "m2")
            try await system.advance(by: .seconds(60))
            #expect(phone.onScreen.isEmpty)
            await phone.phone.goOnline()
            try await phone.phone.openApp(InProcessService.topic)
            try await system.settle()
            #expect(lines(phone) == ["m2 unread", "m1 unread"])

            try await phone.phone.forceQuit(InProcessService.topic)
            phone.transport.setOnline(false)
            try await phone.phone.openApp(InProcessService.topic)
            try await system.settle()
            #expect(lines(phone) == ["m2 unread", "m1 unread"])
        }
    }

    @Test("what is read offline is read everywhere once there is a network, though the app was ended meanwhile")
    func readOffline() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            let tablet = try await system.addPhone("tablet")
            try await send(system, "m1")
            try await system.settle()
            phone.transport.setOnline(false)
            phone.carillon?.markRead(try MessageID("m1"))
            try await system.settle()
            #expect(lines(phone) == ["m1 read"] && lines(tablet) == ["m1 unread"])
            try await phone.phone.forceQuit(InProcessService.topic)
            phone.transport.setOnline(true)
            try await phone.phone.openApp(InProcessService.topic)
            try await system.advance(by: .seconds(60))
            #expect(lines(phone) == ["m1 read"] && lines(tablet) == ["m1 read"])
            #expect(tablet.onScreen.isEmpty)
            #expect(tablet.callbackLog.lines.contains("removed m1: read"))
        }
    }

    @Test("a reply is reading: the message goes from the other devices, and is read there too")
    func repliedIsRead() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            let tablet = try await system.addPhone("tablet")
            phone.carillon?.setNotificationCategories([
                UNNotificationCategory(
                    identifier: "C",
                    actions: [
                        UNTextInputNotificationAction(
                            identifier: "REPLY", title: "Reply", options: [], textInputButtonTitle: "Send",
                            textInputPlaceholder: "")
                    ], intentIdentifiers: [], options: [.customDismissAction])
            ])
            for id in ["m1", "m2"] {
                try await send(system, id, ["payload": ["aps": ["alert": "Hello", "category": "C"]]])
            }
            await phone.phone.lock()
            try await system.settle()
            try await phone.phone.choose("REPLY", on: "m1", in: InProcessService.topic, text: "Yes")
            try await system.advance(by: .seconds(10))
            #expect(phone.onScreen == ["m2"] && tablet.onScreen == ["m2"], "\(system.runLog.text)")
            #expect(lines(tablet) == ["m2 unread", "m1 read"])
        }
    }

    @Test("fetching it says whether the service has answered, and each change of it is told once")
    func refreshed() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            try await send(system, "m1")
            try await system.settle()
            let carillon = try #require(phone.carillon)
            var told: [[String]] = []
            carillon.onInboxChange = { told.append(lines(phone)) }
            phone.transport.setOnline(false)
            system.faults.change(to: FaultModel.NetworkConditions(losesPushes: 1))
            try await send(system, "m2")
            try await system.settle()
            #expect(await !carillon.refreshInbox(), "offline")
            #expect(lines(phone) == ["m1 unread"] && told.isEmpty)
            phone.transport.setOnline(true)
            #expect(await carillon.refreshInbox())
            #expect(told == [["m2 unread", "m1 unread"]])
            #expect(await carillon.refreshInbox())
            #expect(told.count == 1, "nothing has changed")
            carillon.markRead(try MessageID("m1"))
            try await system.settle()
            #expect(told.dropFirst() == [["m2 unread", "m1 read"]])
        }
    }

    @Test("a recall takes a message out of the inbox, and signing out empties it, also offline")
    func recalled() async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            try await send(system, "m1")
            try await send(system, "m2")
            try await system.settle()
            try await system.service.backend("DELETE", "/v1/notifications/m1")
            try await system.settle()
            #expect(lines(phone) == ["m2 unread"])
            #expect(phone.callbackLog.lines.contains("removed m1: recalled"))
            phone.transport.setOnline(false)
            await phone.carillon?.signOut()
            #expect(lines(phone).isEmpty && phone.onScreen.isEmpty)
        }
    }

    @Test(
        "a message in Pushwoosh's dialect is shown under its identifier there, and its recall is confirmed",
        arguments: ["silent", "visible", "assured"])
    func pushwoosh(_ mode: String) async throws {
        try await TestSystem.run { system in
            let phone = try await system.addPhone("phone")
            await phone.phone.pressHome()
            try await send(system, "m1", ["dialect": "pushwoosh", "mode": .string(mode)])
            try await system.advance(by: .seconds(90))
            #expect(phone.onScreen == ["com.pushwoosh.notification.m1"])
            try await system.service.backend("DELETE", "/v1/notifications/m1")
            try await system.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            let answer = try await system.service.store.messages.recallAnswer(
                system.service.message(MessageID("m1")), limit: 10)
            #expect(answer?.recall == ["confirmed": 1])
        }
    }
}
