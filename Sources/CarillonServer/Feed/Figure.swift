import CarillonCore

/// Something that figures count: it has happened to a message on a device, or to a device.
///
/// A device counts once for each revision of a message.
enum Figure: Sendable, Hashable {
    /// APNs has accepted the push with the message.
    case accepted
    /// The push with the message was given up: APNs has rejected it for good for this reason, or has never answered it.
    case failed(String)
    /// The phone has reported this event.
    case reported(ReceiptEvent)
    /// The phone has reported the message as shown, within this number of seconds after APNs had accepted the push.
    case shownWithin(Int)
    /// The phone has reported the message as shown, after more time than the last of ``bounds``.
    case shownLater
    /// A person who could get notifications has switched them off.
    case optOut
    /// APNs has reported a device's token as no longer valid, as after the app was deleted.
    case unregistered

    /// The upper bounds of the times to a message's display, in seconds.
    static let bounds = [1, 5, 15, 60, 300, 900, 3600, 21_600, 86_400]
    /// The name of the reason of pushes that APNs has never answered.
    static let unanswered = "unanswered"
    /// The events of phones that are counted.
    static let events: [ReceiptEvent] = [.received, .shown, .opened, .acted, .dismissed]

    /// Returns the figure of a message that was shown this time after APNs had accepted its push.
    static func shown(after wait: Duration) -> Figure {
        bounds.first { wait <= .seconds($0) }.map(Figure.shownWithin) ?? .shownLater
    }

    /// The name in the database, which never changes.
    var name: String {
        switch self {
        case .accepted: "accepted"
        case .failed(let reason): "\(Self.failedPrefix)\(reason)"
        case .reported(let event): event.rawValue
        case .shownWithin(let seconds): "\(Self.withinPrefix)\(seconds)"
        case .shownLater: "\(Self.withinPrefix)more"
        case .optOut: "opt_out"
        case .unregistered: "unregistered"
        }
    }

    static let failedPrefix = "failed."
    static let withinPrefix = "shown_within."
}

/// Counts that a transaction adds to the figures, by message and by app.
struct FigureTally: Sendable, Hashable {
    /// A figure of a message, or of an app if `message` is `nil`.
    private struct Key: Hashable {
        var message: Int64?
        var app: AppNumber?
        var figure: Figure
    }

    private var counts: [Key: Int] = [:]

    var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ figure: Figure, message: Int64, times: Int = 1) {
        guard times > 0 else { return }
        counts[Key(message: message, figure: figure), default: 0] += times
    }

    mutating func add(_ figure: Figure, app: AppNumber) { counts[Key(app: app, figure: figure), default: 0] += 1 }

    /// A line for each count: the app's number, or 0; the message's number, or 0; the figure's name; the count.
    var lines: [[String]] {
        counts.map { key, count in
            ["\(key.app?.rawValue ?? 0)", "\(key.message ?? 0)", key.figure.name, "\(count)"]
        }
    }
}
