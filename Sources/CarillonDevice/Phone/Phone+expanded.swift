import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
import UserNotificationsUI

/// A notification under a long press, and the content extension that draws in it.
extension Phone {
    struct Expanded {
        let app: InstalledApp
        let notification: UNNotification
        let content: HostedContent?
    }

    /// The notification that is expanded at this moment; `nil` for none.
    public var expanded: ExpandedNotification? {
        expansion.map { expansion in
            ExpandedNotification(
                bundleID: expansion.app.bundle.bundleID, notification: expansion.notification,
                content: expansion.content?.described)
        }
    }

    /// Expands a notification by a long press: shows its actions, and what the content extension for its category
    /// draws.
    ///
    /// Tap, choose and dismiss it as before.
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func expand(_ notificationID: String, in bundleID: String) async throws {
        let (app, notification) = try find(notificationID, in: bundleID)
        collapse()
        let category = notification.request.content.categoryIdentifier
        let matching = app.bundle.contentExtensions.first { $0.categories.contains(category) }
        guard let matching else {
            expansion = Expanded(app: app, notification: notification, content: nil)
            return changed(.screen)
        }
        let actions = actions(of: notificationID, in: bundleID)
        let process = AppProcess(
            bundle: app.bundle, containers: app.contentExtensionContainers, phone: self, screen: screen)
        process.applicationState = .active
        _ = process.gate.grant()
        extensions[ObjectIdentifier(process)] = process
        let content = HostedContent(matching, in: process, width: screen.width, for: notification)
        expansion = Expanded(app: app, notification: notification, content: content)
        await call(process) { content.begin(actions: actions) }
        if let controller = content.controller { inspect([controller], of: app) }
        changed(.screen)
    }

    /// Closes the expanded notification, which stays in the list; its content extension ends, and a banner goes.
    public func collapse() {
        guard let expansion else { return }
        self.expansion = nil
        if banner?.notification === expansion.notification { hideBanner() }
        if let process = expansion.content?.process {
            process.end()
            extensions[ObjectIdentifier(process)] = nil
        }
        changed(.screen)
    }

    /// What the content extension draws, in its own coordinates; `nil` without one.
    public var expandedViewTree: ViewSnapshot? {
        guard let content = expansion?.content else { return nil }
        content.layOut()
        let size = content.described
        return viewTree(of: content.process, width: size.width, height: size.height)
    }

    /// Presses the play button of the content extension.
    ///
    /// - Throws: ``PhoneError`` (`noView`) where nothing with such a button is expanded.
    public func pressMediaButton() async throws {
        guard let content = expansion?.content, content.described.mediaButton != nil else {
            throw PhoneError(.noView, "No notification with a play button is expanded on \(name): expand one first.")
        }
        await call(content.process) { content.press() }
        changed(.screen)
    }

    /// Puts a finger on what the content extension draws, moves it or lifts it.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the extension's view.
    ///   - y: points from the top edge of the extension's view.
    ///   - phase: what the finger does.
    /// - Returns: the ID of the view that has the touch, as in ``expandedViewTree``; `nil` when no view takes it.
    /// - Throws: ``PhoneError`` (`noView`) where no notification with a content extension is expanded.
    @discardableResult
    public func touchExpanded(atX x: Double, y: Double, phase: TouchPhase) async throws -> Int? {
        guard let content = expansion?.content else {
            throw PhoneError(.noView, "No notification with a content extension is expanded on \(name).")
        }
        var hit: Int?
        let now = clock.now.date.timeIntervalSinceReferenceDate
        await call(content.process) {
            hit = content.process.application.touch(UITouch.Phase(phase), at: CGPoint(x: x, y: y), now: now)
        }
        return hit
    }

    /// Gives a response to the content extension first, if the notification is expanded and has one.
    ///
    /// - Parameters:
    ///   - response: what the person has chosen.
    ///   - forward: what follows where the extension says so, and where there is none.
    func askContentExtension(
        _ response: UNNotificationResponse, forward: @escaping @MainActor @Sendable (Phone) async -> Void
    ) async {
        guard let expansion, let content = expansion.content, let controller = content.controller,
            expansion.notification.request.identifier == response.notification.request.identifier
        else {
            collapse()
            return await forward(self)
        }
        let handler: CompletionHandler<UNNotificationContentExtensionResponseOption> = completionHandler(
            "the content extension", of: content.process, seconds: rules.serviceExtensionSeconds,
            report: { phone, problem in phone.note(problem.sentence, about: response) })
        follow(handler) { phone, outcome in
            switch outcome.value {
            case .doNotDismiss, nil: phone.changed(.screen)
            case .dismiss:
                phone.collapse()
                phone.take(response.notification, from: expansion.app)
            case .dismissAndForwardAction:
                phone.collapse()
                await forward(phone)
            }
        }
        await call(content.process) { controller.didReceive(response, completionHandler: handler.call) }
    }
}
