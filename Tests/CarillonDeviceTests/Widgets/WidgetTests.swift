import CarillonCore
import CarillonDevice
import Foundation
import Testing
import WidgetKit

/// Widgets and controls: what pushes reload, from [Apple's article about
/// widgets](https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications) and [the one about
/// controls](https://developer.apple.com/documentation/widgetkit/updating-controls-locally-and-remotely).
@MainActor @Suite("Widgets and controls") struct WidgetTests {
    @Test("48: a push reloads every widget with a push handler, and no other, although nobody opens the app")
    func reloads() async throws {
        try await Scores.run { scores in
            try await scores.add()
            try await scores.add("score", .systemMedium)
            try await scores.add("table", .systemLarge)
            #expect(scores.app.widgets.map(\.reloadCount) == [1, 1, 1])
            let notes = try await scores.push()
            #expect(notes == ["reloads the widget score", "reloads the widget score"])
            #expect(scores.app.widgets.map(\.reloadCount) == [2, 2, 1])
            #expect(scores.app.widgets.map(\.lines) == [["loaded 3"], ["loaded 4"], []])
            #expect(scores.app.state == .notRunning)
        }
    }

    @Test("48: a push reloads widgets without a push handler too, if the phone is told so")
    func reloadsAll() async throws {
        var rules = PhoneRules()
        rules.widgetPushReloadsAll = true
        try await Scores.run(rules: rules) { scores in
            try await scores.add()
            try await scores.add("table", .systemLarge)
            try await scores.push()
            #expect(scores.app.widgets.map(\.reloadCount) == [2, 2])
        }
    }

    @Test("48: a push that lacks content-changed reloads nothing, and the trace says so", arguments: [false, nil])
    func needsContentChanged(_ value: Bool?) async throws {
        try await Scores.run { scores in
            try await scores.add()
            let aps: JSONObject = value.map { ["content-changed": .bool($0)] } ?? ["badge": 1]
            let notes = try await scores.push(["aps": .object(aps)])
            #expect(notes == ["ignored: the push lacks aps.content-changed, which must be true"])
            #expect(scores.app.widgets.map(\.reloadCount) == [1])
        }
    }

    @Test(
        "a push for an app without a widget on the phone, or with none that has a push handler, says why it does nothing"
    )
    func nothingToReload() async throws {
        var rules = PhoneRules()
        rules.pushNeedsToken = false
        try await Scores.run(rules: rules) { scores in
            #expect(try await scores.push() == ["ignored: no widget of the app is on the phone"])
            try await scores.add("table", .systemLarge)
            #expect(
                try await scores.push().first?.contains("no widget of the app on the phone has a push handler") == true)
            try await scores.add()
            #expect(
                try await scores.push(to: Data([1, 2])) == ["ignored: it was not sent to the app's token for widgets"])
        }
    }

    @Test("a push does not arrive before there is a token, as no sender could send it")
    func needsToken() async throws {
        try await Scores.run { scores in
            #expect(try await scores.push().first?.contains("no widget with a push handler is on the phone") == true)
            await scores.app.phone.goOffline()
            try await scores.add()
            #expect(try await scores.push().first?.contains("the phone was offline") == true)
            await scores.app.phone.goOnline()
            try await scores.app.phone.settled()
            #expect(scores.app.phone.widgets.token(of: scores.app.bundleID) != nil)
            #expect(try await scores.push() == ["reloads the widget score"])
        }
    }

    // MARK: budget

    @Test(
        "49: a widget reloads as often within 24 hours as its budget says; one reload waits, and then comes",
        arguments: [2, 40])
    func budget(_ limit: Int) async throws {
        var rules = PhoneRules()
        if limit != 40 { rules.widgetReloadsPerDay = limit }
        try await Scores.run(rules: rules) { scores in
            try await scores.add()
            for _ in 0..<limit { try await scores.push() }
            #expect(scores.app.widgets.map(\.reloadCount) == [limit + 1])
            for _ in 0..<3 {
                let notes = try await scores.push()
                #expect(notes.first?.hasPrefix("held until ") == true)
                #expect(notes.first?.contains("the widget score has had all the \(limit) reloads") == true)
            }
            #expect(scores.app.widgets.map(\.reloadCount) == [limit + 1])
            #expect(scores.app.widgets.map(\.isHeld) == [true])
            try await scores.app.advance(by: .seconds(24 * 3600 - 1))
            #expect(scores.app.widgets.map(\.isHeld) == [true])
            try await scores.app.advance(by: .seconds(1))
            #expect(scores.app.widgets.map(\.reloadCount) == [limit + 2])
            #expect(scores.app.widgets.map(\.isHeld) == [false])
            let traces = scores.app.phone.traces.flatMap(\.notes)
            #expect(traces.contains("the budget allows a reload that was held"))
        }
    }

    @Test("49: each widget has a budget of its own, and without a limit nothing is held")
    func budgets() async throws {
        var rules = PhoneRules()
        rules.widgetReloadsPerDay = 1
        try await Scores.run(rules: rules) { scores in
            try await scores.add()
            try await scores.push()
            try await scores.add()
            let notes = try await scores.push()
            #expect(notes.count == 2 && notes.contains("reloads the widget score"))
            #expect(scores.app.widgets.map(\.isHeld) == [true, false])
            scores.app.phone.rules.widgetReloadsPerDay = nil
            try await scores.push()
            #expect(scores.app.widgets.map(\.isHeld) == [false, false])
        }
    }

    @Test("a budget of 0 holds everything, and the phone comes to rest")
    func noBudget() async throws {
        var rules = PhoneRules()
        rules.widgetReloadsPerDay = 0
        try await Scores.run(rules: rules) { scores in
            try await scores.add()
            #expect(try await scores.push().first?.hasPrefix("held: the widget score") == true)
            try await scores.app.advance(by: .seconds(3 * 24 * 3600))
            #expect(scores.app.widgets.map(\.reloadCount) == [1])
        }
    }

    @Test("50: reloads while the app is in the foreground are free; in the background they count")
    func foreground() async throws {
        var rules = PhoneRules()
        rules.widgetReloadsPerDay = 1
        try await Scores.run(rules: rules) { scores in
            try await scores.add()
            _ = try await scores.inApp { WidgetCenter.shared.reloadAllTimelines() }
            _ = try await scores.inApp { WidgetCenter.shared.reloadTimelines(ofKind: "score") }
            try await scores.push()
            #expect(scores.app.widgets.map(\.reloadCount) == [4])
            try await scores.app.suspend()
            try await scores.push()
            #expect(try await scores.push().first?.hasPrefix("held until ") == true)
            #expect(scores.app.widgets.map(\.reloadCount) == [5])
        }
    }

    @Test("what an app reloads that is not on the phone is in the trace")
    func reloadsNothing() async throws {
        try await Scores.run { scores in
            _ = try await scores.inApp { WidgetCenter.shared.reloadTimelines(ofKind: "score") }
            let notes = scores.app.phone.traces.flatMap(\.notes)
            #expect(notes.contains("nothing to reload: no widget score is on the phone"))
        }
    }

    // MARK: tokens

    @Test(
        "51: the push handler hears the first token, and each change of the widgets; the token ends with the last of them"
    )
    func handler() async throws {
        let link = TokenLink()
        try await Scores.run(link: link) { scores in
            let one = try await scores.add()
            let token = scores.app.phone.widgets.token(of: scores.app.bundleID)
            #expect(token != nil)
            let two = try await scores.add("score", .systemMedium)
            try scores.app.phone.widgets.remove(one, of: scores.app.bundleID)
            try scores.app.phone.widgets.remove(two, of: scores.app.bundleID)
            try await scores.app.phone.settled()
            #expect(scores.app.phone.widgets.token(of: scores.app.bundleID) == nil)
            #expect(link.invalidated == [token].compactMap(\.self))
            let bytes = token?.count ?? 0
            #expect(
                try await scores.heard() == [
                    "\(bytes) bytes for [\"score systemSmall\"]",
                    "\(bytes) bytes for [\"score systemSmall\", \"score systemMedium\"]",
                    "\(bytes) bytes for [\"score systemMedium\"]", "\(bytes) bytes for []",
                ])
        }
    }

    @Test("the app reads the widgets and their token")
    func widgetCenter() async throws {
        try await Scores.run { scores in
            #expect(try await scores.inApp { await WidgetCenter.shared.currentPushInfo == nil } == true)
            try await scores.add()
            let token = scores.app.phone.widgets.token(of: scores.app.bundleID)
            #expect(try await scores.inApp { await WidgetCenter.shared.currentPushInfo?.token } == token)
            let kinds = try await scores.inApp { (try? await WidgetCenter.shared.currentConfigurations())?.map(\.kind) }
            #expect(kinds == ["score"])
        }
    }

    @Test("an app without the entitlement for pushes gets no token, and the trace says so")
    func noEntitlement() async throws {
        try await Scores.run {
            $0.environment = nil
        } _: { scores in
            try await scores.add()
            #expect(scores.app.phone.widgets.token(of: scores.app.bundleID) == nil)
            #expect(
                scores.app.phone.traces.flatMap(\.notes).contains { $0.hasPrefix("the app gets no token for widgets") })
        }
    }

    @Test("an update keeps the widgets that the new version still has, and a deleted app's token ends")
    func updates() async throws {
        let link = TokenLink()
        try await Scores.run(link: link) { scores in
            try await scores.add()
            try await scores.add("table", .systemLarge)
            let token = scores.app.phone.widgets.token(of: scores.app.bundleID)
            var bundle = AppBundle(bundleID: scores.app.bundleID, name: "Scores", makeDelegate: { ScoresApp() })
            bundle.widgets = [WidgetLayout(kind: "score", name: "Score", pushHandler: ScoresPushHandler.self)]
            scores.app.phone.install(bundle)
            #expect(scores.app.widgets.map(\.kind) == ["score"])
            #expect(scores.app.phone.widgets.token(of: scores.app.bundleID) == token)
            try await scores.app.phone.uninstall(scores.app.bundleID)
            try await scores.app.phone.settled()
            #expect(link.invalidated == [token].compactMap(\.self))
        }
    }

    @Test("the person cannot add what the app does not offer, nor remove what is not there")
    func unknown() async throws {
        try await Scores.run { scores in
            let id = scores.app.bundleID
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.add("weather", of: id) }
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.add("table", .systemSmall, of: id) }
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.remove(7, of: id) }
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.addControl("window", of: id) }
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.removeControl("x", of: id) }
            await scores.app.phone.powerOff()
            #expect(throws: PhoneError.self) { try scores.app.phone.widgets.add("score", of: id) }
        }
    }

    @Test("the person's actions can be played as values")
    func actions() async throws {
        try await Scores.run { scores in
            let id = scores.app.bundleID
            try await scores.app.phone.perform(.addWidget("score", family: 0, app: id))
            try await scores.app.phone.perform(.addControl("door", app: id))
            try await scores.app.phone.settled()
            let (widget, control) = (try #require(scores.app.widgets.first), try #require(scores.app.controls.first))
            try await scores.app.phone.perform(.removeWidget(widget.id, app: id))
            try await scores.app.phone.perform(.removeControl(control.id, app: id))
            #expect(scores.app.widgets.isEmpty && scores.app.controls.isEmpty)
            await #expect(throws: PhoneError.self) {
                try await scores.app.phone.perform(.addWidget("score", family: 99, app: id))
            }
        }
    }

    // MARK: controls

    @Test("52: each control has a token, and a push to it reloads that control alone")
    func controls() async throws {
        try await Scores.run { scores in
            try await scores.addControl()
            try await scores.addControl()
            try await scores.addControl("light")
            let tokens = scores.app.controls.map(\.token)
            #expect(tokens[0] != nil && tokens[1] != nil && tokens[0] != tokens[1] && tokens[2] == nil)
            #expect(scores.app.controls.map(\.value) == ["open", "open", nil])
            #expect(try await scores.push(type: .controls, to: tokens[1]) == ["reloads the control door"])
            #expect(scores.app.controls.map(\.reloadCount) == [1, 2, 1])
            #expect(try await scores.push(type: .controls).first?.contains("names no token") == true)
            #expect(
                try await scores.push(["aps": ["badge": 1]], type: .controls, to: tokens[1])
                    == ["ignored: the push lacks aps.content-changed, which must be true"])
            #expect(
                try await scores.push(type: .controls, to: Data([1])).first?.contains("has the token it was sent to")
                    == true)
        }
    }

    @Test("the push handler of controls hears all of them, and the app reads and reloads them")
    func controlCenter() async throws {
        try await Scores.run { scores in
            let one = try await scores.addControl()
            try await scores.addControl()
            let bytes = scores.app.controls.first?.token?.count ?? 0
            let infos = try await scores.inApp { (try? await ControlCenter.shared.currentControls())?.map(\.kind) }
            #expect(infos == ["door", "door"])
            _ = try await scores.inApp { ControlCenter.shared.reloadControls(ofKind: "door") }
            _ = try await scores.inApp { ControlCenter.shared.reloadAllControls() }
            _ = try await scores.inApp { ControlCenter.shared.reloadControls(ofKind: "window") }
            #expect(scores.app.controls.map(\.reloadCount) == [3, 3])
            try scores.app.phone.widgets.removeControl(one, of: scores.app.bundleID)
            try await scores.app.phone.settled()
            #expect(
                try await scores.heard() == [
                    "controls [\"door \(bytes)\"]", "controls [\"door \(bytes)\", \"door \(bytes)\"]",
                    "controls [\"door \(bytes)\"]",
                ])
        }
    }
}
