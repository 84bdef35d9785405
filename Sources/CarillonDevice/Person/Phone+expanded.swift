import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// A notification under a long press, and the content extension that draws in it.
extension Phone {
    /// The notification that is expanded at this moment; `nil` for none.
    public var expanded: ExpandedNotification? {
        screenState.expansion.map { expansion in
            ExpandedNotification(
                bundleID: expansion.app.bundle.bundleID, notification: expansion.notification,
                content: expansion.content?.described)
        }
    }

    /// Expands a notification by a long press: shows its actions and the view of its content extension.
    ///
    /// Tap, choose and dismiss it as before.
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func expand(_ notificationID: String, in bundleID: String) async throws {
        try await kernel.doing(.expand(notificationID, app: bundleID)) { () async throws -> Void in
            try await person.expand(notificationID, in: bundleID)
        }
    }

    /// Closes the expanded notification, which stays in the list; its content extension ends, and a banner goes.
    public func collapse() {
        kernel.doingAtOnce(.collapse) { () -> Void in
            screenState.collapse()
        }
    }

    /// The views that the content extension draws, in its own coordinates; `nil` without a content extension.
    public var expandedViewTree: ViewSnapshot? {
        guard let content = screenState.expansion?.content else { return nil }
        content.layOut()
        let size = content.described
        return viewTree(of: content.process, width: size.width, height: size.height)
    }

    /// Presses the play button of the content extension.
    ///
    /// - Throws: ``PhoneError`` (`noView`) where nothing with such a button is expanded.
    public func pressMediaButton() async throws {
        try await kernel.doing(.pressMediaButton) { () async throws -> Void in
            guard let content = screenState.expansion?.content, content.described.mediaButton != nil else {
                throw PhoneError(
                    .noView, "No notification with a play button is expanded on \(name): expand one first.")
            }
            await kernel.call(content.process, "mediaPlay") { content.press() }
            kernel.changed(.screen)
        }
    }

    /// Puts a finger on the view of the content extension, moves it or lifts it.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the extension's view.
    ///   - y: points from the top edge of the extension's view.
    ///   - phase: the phase of the touch.
    /// - Returns: the ID of the view that has the touch, as in ``expandedViewTree``; `nil` when no view takes it.
    /// - Throws: ``PhoneError`` (`noView`) where no notification with a content extension is expanded.
    @discardableResult
    public func touchExpanded(atX x: Double, y: Double, phase: TouchPhase) async throws -> Int? {
        return try await kernel.doing(.touchExpanded(x: x, y: y, phase)) { () async throws -> Int? in
            guard let content = screenState.expansion?.content else {
                throw PhoneError(.noView, "No notification with a content extension is expanded on \(name).")
            }
            var hit: Int?
            let now = self.now.date.timeIntervalSinceReferenceDate
            await kernel.call(content.process, "touch") {
                hit = content.process.application.touch(UITouch.Phase(phase), at: CGPoint(x: x, y: y), now: now)
            }
            return hit
        }
    }
}
