import CarillonCore
import CarillonMessaging
import UIKit
import UserNotifications

/// Finds mistakes in an app's set-up: reported events, and problems that can be seen in the running app.
@MainActor
final class SetupCheck {
    private let notifications: NotificationCenterClient
    private let application: UIApplication
    private let reported = ReportedMistakes()
    /// The type of the center's delegate at launch.
    private var delegateAtLaunch: String?
    private var hasLooked = false

    init(notifications: NotificationCenterClient, application: UIApplication) {
        self.notifications = notifications
        self.application = application
    }

    /// Returns a report closure that records each event's mistake and then calls `report`.
    func listening(to report: @escaping @Sendable (CarillonEvent) -> Void) -> @Sendable (CarillonEvent) -> Void {
        { [reported] event in
            reported.heard(event)
            report(event)
        }
    }

    /// Forgets reported mistakes that are resolved, because a request was answered or iOS has given a device token.
    func isResolved(_ isOver: (CarillonEvent) -> Bool) { reported.forget(isOver) }

    /// Checks the app's set-up once per launch, after launching, and reports its mistakes.
    func look(_ report: @Sendable (CarillonEvent) -> Void) async {
        guard !hasLooked else { return }
        hasLooked = true
        delegateAtLaunch = centerDelegate
        for mistake in await visibleMistakes() { report(mistake) }
    }

    private var centerDelegate: String? { notifications.center.delegate.map { "\(type(of: $0))" } }

    /// Returns all known mistakes.
    func mistakes() async -> [CarillonEvent] {
        let visible = await visibleMistakes()
        return reported.all.filter { !$0.isVisible } + visible
    }

    private func visibleMistakes() async -> [CarillonEvent] {
        var mistakes: [CarillonEvent] = []
        let delegate = centerDelegate
        if delegate == nil {
            mistakes.append(.centerDelegateIsMissing)
        } else if delegateAtLaunch == nil {
            mistakes.append(.centerDelegateIsLate)
        } else if let delegate, delegate != delegateAtLaunch {
            mistakes.append(.delegateWasReplaced(by: delegate))
        }
        // GoogleUtilities, which Firebase and others swizzle with, makes the app delegate a class of this name.
        if let delegate = application.delegate.map({ "\(type(of: $0))" }), delegate.hasPrefix("GUL_") {
            mistakes.append(.delegateWasReplaced(by: delegate))
        }
        for category in await notifications.unknownCategories() { mistakes.append(.categoryIsUnknown(category)) }
        return mistakes
    }
}

/// The reported mistakes; usable from any thread.
private final class ReportedMistakes: Sendable {
    private let events = Guarded<[CarillonEvent]>([])

    var all: [CarillonEvent] { events.withLock { $0 } }

    func heard(_ event: CarillonEvent) {
        guard event.advice != nil else { return }
        events.withLock { events in
            events.removeAll { $0 == event }
            events.append(event)
            if events.count > AppLimits.reportedMistakes { events.removeFirst() }
        }
    }

    func forget(_ isOver: (CarillonEvent) -> Bool) { events.withLock { $0.removeAll(where: isOver) } }
}

extension CarillonEvent {
    /// Whether the mistake can be detected anew at any time.
    fileprivate var isVisible: Bool {
        switch self {
        case .centerDelegateIsMissing, .centerDelegateIsLate, .delegateWasReplaced, .categoryIsUnknown: true
        default: false
        }
    }
}
