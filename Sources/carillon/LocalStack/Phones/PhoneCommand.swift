import CarillonCore
import CarillonDevice

/// A command of the page to a phone: `POST /phones/{id}/{command}`.
enum PhoneCommand: Sendable, Equatable {
    case lock, unlock, home, forceQuit, restart, clearAll
    /// Opens the app from its icon.
    case open
    /// Swipes the banner away; the notification stays in the list.
    case flick
    case center(isOpen: Bool)
    /// Opens a notification by a long press, which shows its actions.
    case expand(notification: String)
    /// Closes what a long press has opened.
    case collapse
    case aeroplane(isOn: Bool)
    case permission(allow: Bool)
    /// Taps a notification, in the banner or in a list.
    case tap(notification: String)
    case clear(notification: String)
    case act(notification: String, action: String, text: String?)
    /// A touch on the screen, in the phone's points.
    case touch(Phone.TouchPhase, x: Double, y: Double)

    /// - Throws: ``PageProblem`` that names the command or the member that is wrong.
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

    private static func flag(_ name: String, _ body: JSONValue) throws -> Bool {
        if let value = body[name]?.boolValue { return value }
        throw PageProblem(422, "A value is missing", "\(name) must be true or false")
    }

    private static func text(_ name: String, _ body: JSONValue) throws -> String {
        if let value = body[name]?.stringValue { return value }
        throw PageProblem(422, "A value is missing", "\(name) must be a string")
    }
}
