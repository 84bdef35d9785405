import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonServer
import Foundation
import Testing

@MainActor
@Suite("The inbox, from the service to the app")
struct InboxTests {
    private func send(_ world: World, _ id: String, _ extra: [String: JSONValue] = [:]) async throws {
        let body: [String: JSONValue] = [
            "to": ["user": "ada"], "payload": ["aps": ["alert": "Hello"]], "id": .string(id),
        ]
        let answer = try await world.service.backend(
            "POST", "/v1/notifications", .object(body.merging(extra) { _, new in new }))
        #expect(answer.status == 202)
    }

    private func lines(_ phone: WorldPhone) -> [String] {
        (phone.carillon?.inbox ?? []).map { "\($0.id) \($0.isRead ? "read" : "unread")" }
    }

    @Test("what was missed is fetched at the next launch, and is there offline and after a force-quit")
    func missed() async throws {
        try await World.run { world in
            let phone = try await world.addPhone("phone")
            try await phone.phone.forceQuit(InProcessService.topic)
            await phone.phone.goOffline()
            world.fate.change(to: Fate.Weather(losesPushes: 1))
            try await send(world, "m1")
            try await send(world, "m2")
            try await world.advance(by: .seconds(60))
            #expect(phone.onScreen.isEmpty)
            await phone.phone.goOnline()
            try await phone.phone.openApp(InProcessService.topic)
            try await world.settle()
            #expect(lines(phone) == ["m2 unread", "m1 unread"])

            try await phone.phone.forceQuit(InProcessService.topic)
            phone.wire.setOnline(false)
            try await phone.phone.openApp(InProcessService.topic)
            try await world.settle()
            #expect(lines(phone) == ["m2 unread", "m1 unread"])
        }
    }

    @Test("what is read offline is read everywhere once there is a network, though the app was ended meanwhile")
    func readOffline() async throws {
        try await World.run { world in
            let phone = try await world.addPhone("phone")
            let tablet = try await world.addPhone("tablet")
            try await send(world, "m1")
            try await world.settle()
            phone.wire.setOnline(false)
            phone.carillon?.markRead(try MessageID("m1"))
            try await world.settle()
            #expect(lines(phone) == ["m1 read"] && lines(tablet) == ["m1 unread"])
            try await phone.phone.forceQuit(InProcessService.topic)
            phone.wire.setOnline(true)
            try await phone.phone.openApp(InProcessService.topic)
            try await world.advance(by: .seconds(60))
            #expect(lines(phone) == ["m1 read"] && lines(tablet) == ["m1 read"])
            #expect(tablet.onScreen.isEmpty)
            #expect(tablet.diary.lines.contains("removed m1: read"))
        }
    }

    @Test("a recall takes a message out of the inbox, and signing out empties it, also offline")
    func recalled() async throws {
        try await World.run { world in
            let phone = try await world.addPhone("phone")
            try await send(world, "m1")
            try await send(world, "m2")
            try await world.settle()
            try await world.service.backend("DELETE", "/v1/notifications/m1")
            try await world.settle()
            #expect(lines(phone) == ["m2 unread"])
            #expect(phone.diary.lines.contains("removed m1: recalled"))
            phone.wire.setOnline(false)
            await phone.carillon?.signOut()
            #expect(lines(phone).isEmpty && phone.onScreen.isEmpty)
        }
    }

    @Test(
        "a message in Pushwoosh's words is shown by its name there, and its recall is confirmed",
        arguments: ["silent", "visible", "assured"])
    func pushwoosh(_ mode: String) async throws {
        try await World.run { world in
            let phone = try await world.addPhone("phone")
            await phone.phone.pressHome()
            try await send(world, "m1", ["dialect": "pushwoosh", "mode": .string(mode)])
            try await world.advance(by: .seconds(90))
            #expect(phone.onScreen == ["com.pushwoosh.notification.m1"])
            try await world.service.backend("DELETE", "/v1/notifications/m1")
            try await world.advance(by: .seconds(5))
            #expect(phone.onScreen.isEmpty)
            let answer = try await world.service.store.recallAnswer(MessageID("m1"), limit: 10)
            #expect(answer?.recall == ["confirmed": 1])
        }
    }
}
