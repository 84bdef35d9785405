import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

/// A check for mistakes in the app's set-up, from reported events and from the state of the running app.
@MainActor
final class SetupCheck {
    private let notifications: NotificationCenterClient
    private let application: UIApplication
    private let reported = ReportedMistakes()
    /// The type of the notification center's delegate at launch; `nil` if there was none.
    private var delegateAtLaunch: String?
    private var hasLooked = false
    /// The folder of the SDK's files; `nil` before ``isSecondUse(of:)``.
    private var folder: URL?

    private struct Weak { weak var check: SetupCheck? }

    /// The checks of all `Carillon` objects of this process.
    private static var living: [Weak] = []

    init(notifications: NotificationCenterClient, application: UIApplication) {
        self.notifications = notifications
        self.application = application
    }

    /// Records the folder of the SDK's files.
    ///
    /// - Returns: whether another living `Carillon` of this app uses the folder. The apps of simulated phones share a process.
    func isSecondUse(of folder: URL) -> Bool {
        self.folder = folder
        Self.living.removeAll { $0.check == nil }
        defer { Self.living.append(Weak(check: self)) }
        return Self.living.contains { $0.check?.folder == folder && $0.check?.application === application }
    }

    /// Returns a closure that passes every event to `report`, and first records the events that show a mistake in the set-up.
    func listening(to report: @escaping @Sendable (CarillonEvent) -> Void) -> @Sendable (CarillonEvent) -> Void {
        { [reported] event in
            reported.heard(event)
            report(event)
        }
    }

    /// Forgets the reported mistakes for which `isOver` returns `true`.
    ///
    /// Called when the service has answered a request, or iOS has given a device token.
    func isResolved(_ isOver: (CarillonEvent) -> Bool) { reported.forget(isOver) }

    /// Checks the app's set-up once in each launch, and passes each mistake to `report`; call it after the app has launched.
    func look(_ report: @Sendable (CarillonEvent) -> Void) async {
        guard !hasLooked else { return }
        hasLooked = true
        delegateAtLaunch = centerDelegate
        for mistake in await visibleMistakes() { report(mistake) }
    }

    private var centerDelegate: String? { notifications.center.delegate.map { "\(type(of: $0))" } }

    /// Returns all known mistakes in the app's set-up: those that events have reported, and those that a check finds now.
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
        // Firebase and other SDKs swizzle with GoogleUtilities, which gives the app delegate a class with this prefix.
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
    /// Whether this event reports a mistake that ``SetupCheck`` can find in the running app at any time.
    ///
    /// Every other mistake is known only from the event that reported it.
    fileprivate var isVisible: Bool {
        switch self {
        case .centerDelegateIsMissing, .centerDelegateIsLate, .delegateWasReplaced, .categoryIsUnknown: true
        default: false
        }
    }
}
