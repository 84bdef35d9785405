import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonExtension
import CarillonMessaging
import Foundation
import Synchronization
import Testing
import WidgetKit

/// The widget extension of the tests: it passes on what WidgetKit says.
private struct HostWidgets: WidgetPushHandler, ControlPushHandler {
    static let service = Mutex<StubService?>(nil)
    static let log = EventLog()

    private var carillon: CarillonWidgetExtension {
        let service = Self.service.withLock(\.self)
        var carillon = CarillonWidgetExtension(
            appGroup: "group.host", service: service == nil ? nil : URL(string: "https://push.example.com"),
            report: { Self.log.add($0) })
        if let service { carillon.makeTransport = { _ in service } }
        return carillon
    }

    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
        carillon.pushTokenDidChange(pushInfo.token, widgets: widgets.count)
    }

    func pushTokensDidChange(controls: [ControlInfo]) {
        carillon.pushTokensDidChange(controls: controls.map { ($0.kind, $0.pushInfo?.token) })
    }
}

/// A widget extension that tells nobody.
private struct SilentWidgets: WidgetPushHandler {
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {}
}

@MainActor @Suite("The tokens for widgets and controls travel with the registration", .serialized)
struct WidgetTokenTests {
    private let id = AppFixture.bundleID

    private func run(
        extension isInExtension: Bool, sends: Bool = true, _ body: @MainActor (AppFixture) async throws -> Void
    ) async throws {
        try await AppFixture.run { fixture in
            HostWidgets.service.withLock { $0 = sends ? fixture.service : nil }
            fixture.widgets = [
                WidgetLayout(
                    kind: "score", name: "Score",
                    pushHandler: isInExtension ? HostWidgets.self : SilentWidgets.self)
            ]
            fixture.controls = [ControlLayout(kind: "door", name: "Door", pushHandler: HostWidgets.self)]
            var plan = try fixture.plan()
            plan.appGroup = "group.host"
            plan.registersWidgets = true
            try await fixture.openAllowed(plan)
            #expect(fixture.service.registrations.last?.widgets == nil)
            try await body(fixture)
        }
    }

    private func token(_ fixture: AppFixture) throws -> DeviceToken {
        try #require(fixture.phone.widgets.token(of: id).flatMap { DeviceToken($0) })
    }

    private func reopen(_ fixture: AppFixture) async throws {
        try await fixture.goHome()
        try await fixture.open()
        try await fixture.settle()
    }

    @Test("the app reads the token when it comes to the foreground; its end travels too, offline as well")
    func byTheApp() async throws {
        try await run(extension: false) { fixture in
            let widget = try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            try await reopen(fixture)
            #expect(fixture.service.changes.last?.widgets == [WidgetToken(token: try token(fixture))])
            fixture.service[\.isDown] = true
            try fixture.phone.widgets.remove(widget.id, of: id)
            try await reopen(fixture)
            try await fixture.quit()
            fixture.service[\.isDown] = false
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == [])
        }
    }

    @Test("the widget extension tells the service while the app does not run")
    func byTheExtension() async throws {
        try await run(extension: true) { fixture in
            try await fixture.quit()
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            #expect(fixture.app == nil)
            let widgets = WidgetToken(token: try token(fixture))
            #expect(fixture.service.changes.last?.widgets == [widgets])
            let control = try fixture.phone.widgets.addControl("door", of: id)
            try await fixture.settle()
            let door = try #require(fixture.phone.widgets.controls(of: id).first?.token.flatMap { DeviceToken($0) })
            #expect(fixture.service.changes.last?.widgets == [widgets, WidgetToken(control: "door", token: door)])
            try fixture.phone.widgets.removeControl(control.id, of: id)
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == [widgets])
            #expect(fixture.app == nil)
        }
    }

    @Test("what the extension could not send, the app sends at its next launch")
    func extensionIsOffline() async throws {
        try await run(extension: true) { fixture in
            try await fixture.quit()
            fixture.service[\.isDown] = true
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == nil)
            #expect(
                HostWidgets.log.all.contains { if case .serviceFailed = $0 { true } else { false } })
            fixture.service[\.isDown] = false
            fixture.clock.advance(by: .seconds(3600))
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == [WidgetToken(token: try token(fixture))])
        }
    }

    @Test("tokens that only the extension has sent are taken back by the app once they are gone")
    func extensionAlone() async throws {
        try await run(extension: true) { fixture in
            try await fixture.quit()
            let control = try fixture.phone.widgets.addControl("door", of: id)
            let widget = try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets?.count == 2)
            try fixture.phone.widgets.removeControl(control.id, of: id)
            try fixture.phone.widgets.remove(widget.id, of: id)
            try await fixture.settle()
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == [])
            let count = fixture.service.changes.count
            try await reopen(fixture)
            #expect(fixture.service.changes.dropFirst(count).allSatisfy { $0.widgets == nil }, "it is told once")
        }
    }

    @Test("a handler that has no widgets keeps the token of the others; an unknown App Group is logged")
    func otherHandler() async throws {
        try await run(extension: true) { fixture in
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            let widgets = [WidgetToken(token: try token(fixture))]
            #expect(fixture.service.changes.last?.widgets == widgets)
            await fixture.phone.run(in: id) {
                CarillonWidgetExtension(appGroup: "group.host").pushTokenDidChange(Data([1]), widgets: 0)
                CarillonWidgetExtension(appGroup: "group.unknown").pushTokenDidChange(Data([1]), widgets: 1)
            }
            try await fixture.settle()
            try await reopen(fixture)
            #expect(fixture.service.changes.last?.widgets == widgets)
        }
    }

    @Test("an extension without the service's address leaves it to the app")
    func extensionWithoutService() async throws {
        try await run(extension: true, sends: false) { fixture in
            try await fixture.quit()
            let before = fixture.service.calls.count
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            #expect(fixture.service.calls.count == before)
            try await fixture.open()
            try await fixture.settle()
            #expect(fixture.service.changes.last?.widgets == [WidgetToken(token: try token(fixture))])
        }
    }

    @Test("a sign-out keeps the token, which is the phone's; a reinstalled app registers without the former one")
    func signOutAndReinstall() async throws {
        try await run(extension: false) { fixture in
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            try await reopen(fixture)
            let count = fixture.service.changes.count
            await fixture.app?.carillon?.signOut()
            try await fixture.settle()
            #expect(fixture.service.changes.dropFirst(count).allSatisfy { $0.widgets == nil })
            try await fixture.phone.uninstall(id)
            var plan = try fixture.plan()
            plan.appGroup = "group.host"
            plan.registersWidgets = true
            try await fixture.openAllowed(plan)
            #expect(fixture.service.registrations.last?.widgets == nil)
        }
    }

    @Test("a phone that is restored from a backup does not register the other phone's token")
    func restored() async throws {
        try await run(extension: true) { fixture in
            try fixture.phone.widgets.add("score", of: id)
            try await fixture.settle()
            try await reopen(fixture)
            let former = try token(fixture)
            #expect(fixture.service.changes.last?.widgets == [WidgetToken(token: former)])
            let count = fixture.service[\.requests].count
            let other = Phone(
                configuration: PhoneConfiguration(
                    id: "restored", name: "Restored", clock: fixture.clock,
                    storage: fixture.storage.appending(path: "restored"), seed: 2))
            try await other.restore(from: fixture.phone)
            try await other.openApp(id)
            try await other.settled()
            await (other.delegate(of: id) as? HostApp)?.carillon?.settle()
            await other.shutDown()
            let bodies = fixture.service[\.requests].dropFirst(count).map {
                String(decoding: $0.body ?? Data(), as: UTF8.self)
            }
            #expect(!bodies.isEmpty && !bodies.contains { $0.contains(former.hex) })
        }
    }
}
