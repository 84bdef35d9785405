import CarillonCore
import CarillonDevice
import Foundation
import UIKit
import WidgetKit

/// The push handler of the app's widgets, in the widget extension: it writes down what it hears for the app to read.
struct ScoresPushHandler: WidgetPushHandler {
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
        Scores.note("\(pushInfo.token.count) bytes for \(widgets.map { "\($0.kind) \($0.family)" })")
    }
}

/// The push handler of the app's controls.
struct DoorPushHandler: ControlPushHandler {
    func pushTokensDidChange(controls: [ControlInfo]) {
        Scores.note("controls \(controls.map { "\($0.kind) \($0.pushInfo?.token.count ?? 0)" })")
    }
}

final class ScoresApp: UIResponder, UIApplicationDelegate {}

/// An app with two kinds of widget and one of control, on a phone.
@MainActor struct Scores {
    nonisolated static let group = "group.com.example.scores"
    let app: AppUnderTest

    /// Writes a line into the App Group, from whichever process runs.
    nonisolated static func note(_ line: String) {
        let settings = UserDefaults(suiteName: group)
        settings?.set((settings?.stringArray(forKey: "heard") ?? []) + [line], forKey: "heard")
    }

    static func run<Value>(
        rules: PhoneRules = PhoneRules(), link: (any PushLink)? = nil, _ edit: (inout AppBundle) -> Void = { _ in },
        _ body: @MainActor (Scores) async throws -> Value
    ) async throws -> Value {
        var bundle = AppBundle(
            bundleID: "com.example.scores", name: "Scores", appGroups: [group], makeDelegate: { ScoresApp() })
        bundle.widgets = [
            WidgetLayout(kind: "score", name: "Score", pushHandler: ScoresPushHandler.self) {
                let settings = UserDefaults(suiteName: group)
                let count = (settings?.integer(forKey: "loads") ?? 0) + 1
                settings?.set(count, forKey: "loads")
                return ["loaded \(count)"]
            },
            WidgetLayout(kind: "table", name: "Table", families: [.systemLarge]),
        ]
        bundle.controls = [
            ControlLayout(kind: "door", name: "Door", pushHandler: DoorPushHandler.self) { "open" },
            ControlLayout(kind: "light", name: "Light"),
        ]
        edit(&bundle)
        return try await AppUnderTest.run(bundle, rules: rules, link: link) { try await body(Scores(app: $0)) }
    }

    @discardableResult
    func add(_ kind: String = "score", _ family: WidgetFamily = .systemSmall) async throws -> Int {
        let widget = try app.phone.widgets.add(kind, family, of: app.bundleID)
        try await app.phone.settled()
        return widget.id
    }

    @discardableResult
    func addControl(_ kind: String = "door") async throws -> String {
        let control = try app.phone.widgets.addControl(kind, of: app.bundleID)
        try await app.phone.settled()
        return control.id
    }

    @discardableResult
    func push(
        _ payload: JSONValue = ["aps": ["content-changed": true]], type: CarillonCore.PushType = .widgets,
        to token: Data? = nil
    ) async throws -> [String] {
        try await app.push(payload, type: type, token: token).notes
    }

    /// The lines that the extension has written, as the app reads them.
    func heard() async throws -> [String] {
        if !app.state.isForeground { try await app.open() }
        return try await app.phone.value(in: app.bundleID) {
            UserDefaults(suiteName: Self.group)?.stringArray(forKey: "heard") ?? []
        }
    }

    /// Runs asynchronous code of the app in the foreground, and returns its result.
    func inApp<Value: Sendable>(_ body: @escaping @MainActor @Sendable () async -> Value) async throws -> Value? {
        if !app.state.isForeground { try await app.open() }
        let box = Box<Value>()
        await app.phone.run(in: app.bundleID) { Task { box.value = await body() } }
        try await app.phone.settled()
        return box.value
    }

    @MainActor private final class Box<Value> { var value: Value? }
}
