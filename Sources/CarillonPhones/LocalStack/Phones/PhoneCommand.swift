import CarillonCore
import CarillonDevice
import Foundation
import UserNotifications

/// A command of the page to a phone: `POST /phones/{id}/{command}`.
enum PhoneCommand: Sendable, Equatable {
    /// An action of the person.
    case action(PhoneAction)
    /// Unlocks the phone, and goes to its home screen.
    case home
    /// Opens or closes Notification Center, which only the page draws.
    case center(isOpen: Bool)
    case set(PhoneSetting, isOn: Bool)
    case previews(UNShowPreviewsSetting)
    /// Deletes the phone's app, and then installs the app with this id, which may be the deleted one.
    case app(String)

    /// Parses a command.
    ///
    /// - Parameters:
    ///   - name: the command's name in the page's API.
    ///   - body: the members of the request.
    ///   - app: the bundle ID of the phone's app.
    /// - Throws: ``PageProblem`` that names the invalid command or member.
    init(_ name: String, _ body: JSONValue, app: String) throws {
        switch name {
        case "home": self = .home
        case "center": self = .center(isOpen: try Self.flag("open", body))
        case "set": self = .set(try Self.setting(body), isOn: try Self.flag("on", body))
        case "previews": self = .previews(try Self.choice(body) { UNShowPreviewsSetting(word: $0) })
        case "app": self = .app(try Self.text("value", body))
        default: self = .action(try Self.action(name, body, app))
        }
    }

    private static func action(_ name: String, _ body: JSONValue, _ app: String) throws -> PhoneAction {
        switch name {
        case "lock": .lock
        case "unlock": .unlock
        case "open": .openApp(app)
        case "flick": .swipeAwayBanner
        case "force-quit": .forceQuit(app)
        case "restart": .restart
        case "clear-all": .clearAll(app: app)
        case "settings": .openSettings
        case "answer-call": .answerCall(try call(body))
        case "decline-call": .declineCall(try call(body))
        case "end-call": .hangUp(try call(body))
        case "erase": .erase
        case "authenticate": .authenticate(try flag("owner", body))
        case "region":
            .setLocale(try choice(body) { id in PhoneRegion.all.first { $0.id == id }?.id })
        case "reveal": .reveal(try number("view", body))
        case "expand": .expand(try text("notification", body), app: app)
        case "collapse": .collapse
        case "aeroplane": try flag("on", body) ? .goOffline : .goOnline
        case "permission": .answerPermission(try flag("allow", body))
        case "tap": .tap(try text("notification", body), app: app)
        case "dismiss-activity": .dismissActivity(try text("activity", body), app: app)
        case "clear": .dismiss(try text("notification", body), app: app)
        case "act":
            .choose(
                try text("action", body), notification: try text("notification", body), app: app,
                text: body["text"]?.stringValue)
        case "touch": try touch(body)
        default: throw PageProblem(404, "No such command", "There is no phone command \(name).")
        }
    }

    private static func touch(_ body: JSONValue) throws -> PhoneAction {
        guard let phase = Phone.TouchPhase(rawValue: try text("phase", body)) else {
            throw PageProblem(422, "A value cannot be accepted", "phase is began, moved, ended or cancelled")
        }
        guard let x = body["x"]?.doubleValue, let y = body["y"]?.doubleValue, x.isFinite, y.isFinite else {
            throw PageProblem(422, "A value cannot be accepted", "x and y are numbers, in points")
        }
        return .touch(x: x, y: y, phase)
    }

    private static func call(_ body: JSONValue) throws -> UUID {
        if let id = UUID(uuidString: try text("call", body)) { return id }
        throw PageProblem(422, "A value cannot be accepted", "call: there is no such call")
    }

    private static func setting(_ body: JSONValue) throws -> PhoneSetting {
        let name = try text("setting", body)
        if let setting = PhoneSetting(name) { return setting }
        throw PageProblem(422, "A value cannot be accepted", "setting: there is no setting \(name)")
    }

    // `read` returns the value that has a given name.
    private static func choice<Value>(_ body: JSONValue, _ read: (String) -> Value?) throws -> Value {
        let name = try text("value", body)
        if let value = read(name) { return value }
        throw PageProblem(422, "A value cannot be accepted", "value: there is no choice \(name)")
    }

    private static func number(_ name: String, _ body: JSONValue) throws -> Int {
        if let value = body[name]?.intValue { return value }
        throw PageProblem(422, "A value is missing", "\(name) must be a whole number")
    }

    private static func flag(_ name: String, _ body: JSONValue) throws -> Bool {
        if let value = body[name]?.boolValue { return value }
        throw PageProblem(422, "A value is missing", "\(name) must be true or false")
    }

    private static func text(_ name: String, _ body: JSONValue) throws -> String {
        if let value = body[name]?.stringValue { return value }
        throw PageProblem(422, "A value is missing", "\(name) must be a string")
    }
}
