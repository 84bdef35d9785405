import CarillonCore
import CarillonDevice
import Foundation
import UserNotifications

/// A command of the page to a phone: `POST /phones/{id}/{command}`.
enum PhoneCommand: Sendable, Equatable {
    /// A person's action on a phone call.
    enum CallAct: Sendable, Equatable { case answer, decline, end }

    case lock, unlock, home, forceQuit, restart, clearAll
    /// Opens the Settings app.
    case settings
    case call(UUID, CallAct)
    case set(PhoneSetting, isOn: Bool)
    case previews(UNShowPreviewsSetting)
    /// Changes Language & Region.
    case region(PhoneRegion)
    /// Erases all content and settings.
    case erase
    /// Deletes the phone's app, and then installs the app with this id, which may be the deleted one.
    case app(String)
    /// Answers the Face ID prompt.
    case authenticate(isOwner: Bool)
    /// Scrolls until a view of the app is visible.
    case reveal(view: Int)
    /// Opens the app from its icon.
    case open
    /// Swipes the banner away.
    ///
    /// The notification stays in Notification Center.
    case flick
    case center(isOpen: Bool)
    /// Expands a notification by a long press, so that the phone shows the notification's actions.
    case expand(notification: String)
    /// Closes the notification that a long press has opened.
    case collapse
    case aeroplane(isOn: Bool)
    case permission(allow: Bool)
    /// Taps a notification, in the banner, on the lock screen or in Notification Center.
    case tap(notification: String)
    case clear(notification: String)
    case act(notification: String, action: String, text: String?)
    /// Touches the screen at a point, in the phone's points.
    case touch(Phone.TouchPhase, x: Double, y: Double)

    /// Parses a command.
    ///
    /// - Throws: ``PageProblem`` that names the invalid command or member.
    init(_ name: String, _ body: JSONValue) throws {
        switch name {
        case "lock": self = .lock
        case "unlock": self = .unlock
        case "home": self = .home
        case "open": self = .open
        case "flick": self = .flick
        case "force-quit": self = .forceQuit
        case "restart": self = .restart
        case "clear-all": self = .clearAll
        case "settings": self = .settings
        case "answer-call": self = .call(try Self.call(body), .answer)
        case "decline-call": self = .call(try Self.call(body), .decline)
        case "end-call": self = .call(try Self.call(body), .end)
        case "erase": self = .erase
        case "app": self = .app(try Self.text("value", body))
        case "authenticate": self = .authenticate(isOwner: try Self.flag("owner", body))
        case "set": self = .set(try Self.setting(body), isOn: try Self.flag("on", body))
        case "previews": self = .previews(try Self.choice(body) { UNShowPreviewsSetting(word: $0) })
        case "region": self = .region(try Self.choice(body) { id in PhoneRegion.all.first { $0.id == id } })
        case "reveal": self = .reveal(view: try Self.number("view", body))
        case "expand": self = .expand(notification: try Self.text("notification", body))
        case "collapse": self = .collapse
        case "center": self = .center(isOpen: try Self.flag("open", body))
        case "aeroplane": self = .aeroplane(isOn: try Self.flag("on", body))
        case "permission": self = .permission(allow: try Self.flag("allow", body))
        case "tap": self = .tap(notification: try Self.text("notification", body))
        case "clear": self = .clear(notification: try Self.text("notification", body))
        case "act":
            self = .act(
                notification: try Self.text("notification", body), action: try Self.text("action", body),
                text: body["text"]?.stringValue)
        case "touch": self = try Self.touch(body)
        default: throw PageProblem(404, "No such command", "There is no phone command \(name).")
        }
    }

    private static func touch(_ body: JSONValue) throws -> PhoneCommand {
        guard let phase = Phone.TouchPhase(rawValue: try text("phase", body)) else {
            throw PageProblem(422, "A value cannot be accepted", "phase is began, moved, ended or cancelled")
        }
        guard let x = body["x"]?.doubleValue, let y = body["y"]?.doubleValue, x.isFinite, y.isFinite else {
            throw PageProblem(422, "A value cannot be accepted", "x and y are numbers, in points")
        }
        return .touch(phase, x: x, y: y)
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
