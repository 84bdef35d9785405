import CarillonCore
import WidgetKit

/// A widget that the person has added to a phone.
///
/// The rules are those of ``PhoneRules/widgetReloadsPerDay``; each widget has a budget of its own.
public struct PhoneWidget: Sendable, Hashable {
    /// The number of the widget among the app's widgets on this phone.
    public let id: Int
    /// The kind, one of ``AppBundle/widgets``.
    public let kind: String
    /// The size that the person has chosen.
    public let family: WidgetFamily
    /// The lines of the newest reload; empty for a kind without content.
    public internal(set) var lines: [String] = []
    /// The number of reloads that have begun, including the first, when the person added the widget.
    public private(set) var reloadCount = 0
    /// Whether a reload waits for the budget.
    public private(set) var isHeld = false
    private var budget = BackgroundBudget(windowSeconds: IOSLimits.widgetBudgetSeconds)

    /// The answer to a request to reload a widget.
    enum Answer: Sendable, Hashable {
        case reload
        /// The reload waits until this time; `nil` if the budget is 0.
        case hold(until: Timestamp?)
    }

    init(id: Int, kind: String, family: WidgetFamily) {
        self.id = id
        self.kind = kind
        self.family = family
    }

    /// Decides about a request to reload the widget.
    ///
    /// - Parameters:
    ///   - now: the present time.
    ///   - isFree: whether the reload does not count.
    ///   - limit: the greatest number of counted reloads within 24 hours; `nil` for no limit.
    /// - Returns: whether to reload now.
    mutating func ask(at now: Timestamp, isFree: Bool, limit: Int?) -> Answer {
        guard isFree || budget.mayWake(at: now, limit: limit) else {
            isHeld = true
            return .hold(until: budget.nextWake(after: now))
        }
        if !isFree { budget.woke(at: now) }
        isHeld = false
        reloadCount += 1
        return .reload
    }

    /// The time at which the reload that waits may begin: now, or a later time; `nil` if none waits, or if the budget is 0.
    func release(after now: Timestamp, limit: Int?) -> Timestamp? {
        guard isHeld else { return nil }
        return budget.mayWake(at: now, limit: limit) ? now : budget.nextWake(after: now)
    }
}

/// A control that the person has added to a phone.
public struct PhoneControl: Sendable, Hashable {
    /// The identifier that ``WidgetKit/ControlInfo`` has.
    public let id: String
    /// The kind, one of ``AppBundle/controls``.
    public let kind: String
    /// The value of the newest reload; `nil` for a kind without values.
    public internal(set) var value: String?
    /// The number of reloads that have begun, including the first, when the person added the control.
    public internal(set) var reloadCount = 0
    /// The control's own token; `nil` until the phone has fetched it, and for a kind without a push handler.
    public internal(set) var token: Data?

    init(id: String, kind: String) {
        self.id = id
        self.kind = kind
    }
}
