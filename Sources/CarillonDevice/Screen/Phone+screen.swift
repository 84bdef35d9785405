import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

extension Phone {
    /// The screen: the views of the app in front, touches on them, and system interfaces over it.
    public var screen: Screen { Screen(phone: self) }

    /// The screen of a phone.
    @MainActor public struct Screen {
        let phone: Phone
    }

    /// The phase of a touch on the screen.
    public enum TouchPhase: String, Sendable, Hashable, Codable { case began, moved, ended, cancelled }
}

extension Phone.Screen {
    // MARK: shape and orientation

    /// The size, scale and safe area of the screen, in points.
    public var shape: ScreenShape { phone.screenState.shape }
    /// The orientation in which the phone is held.
    public var orientation: UIDeviceOrientation { phone.device.orientation }

    /// Rotates the phone.
    ///
    /// The app in front rotates too, if it supports the orientation; other apps follow when they come to the front.
    public func rotate(to orientation: UIDeviceOrientation) async {
        await phone.kernel.doing(.rotate(orientation.rawValue)) { () async -> Void in
            phone.device.orientation = orientation
            await phone.life.tellSurroundingsInFront()
            phone.kernel.changed(.screen)
        }
    }

    /// Takes a screenshot, and then posts `userDidTakeScreenshotNotification` in the app in front.
    public func takeScreenshot() async {
        await phone.kernel.doing(.takeScreenshot) { () async -> Void in
            guard let process = phone.life.processInFront else { return }
            await phone.kernel.call(process, "userDidTakeScreenshot", waitsForProcess: false) {
                NotificationCenter.default.postInOrder(
                    name: UIApplication.userDidTakeScreenshotNotification, object: process.application)
            }
        }
    }

    // MARK: views and touches

    /// Returns the app's windows as currently drawn, in the screen's coordinates; `nil` while the app does not run.
    ///
    /// Call this method again after `PhoneChange.views`, and for each frame while ``isAnimating(_:)`` is `true`.
    public func viewTree(of bundleID: String) -> ViewSnapshot? {
        phone.life.process(of: bundleID).map { process in
            let bounds = process.screen.bounds
            return viewTree(of: process, width: Double(bounds.width), height: Double(bounds.height))
        }
    }

    func viewTree(of process: AppProcess, width: Double, height: Double) -> ViewSnapshot {
        let windows = process.application.windowsToDraw
        // Layout may load a view for the first time, and so run code of the app.
        SimulatedDevices.$taskLocal.withValue(process) {
            for window in windows { window.layoutIfNeeded() }
        }
        return ViewSnapshot(
            id: 0, kind: .screen, frame: .init(x: 0, y: 0, width: width, height: height), alpha: 1,
            cornerRadius: 0, clips: true, isTappable: false, isEnabled: true,
            children: windows.compactMap { ViewSnapshot($0) })
    }

    /// Returns whether any view of the app is being animated.
    public func isAnimating(_ bundleID: String) -> Bool {
        phone.life.process(of: bundleID)?.application.windowsToDraw.contains(where: \.isAnimatingSomewhere) ?? false
    }

    /// Sends a touch to the app in front: puts a finger on the screen, moves the finger or lifts it.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the screen.
    ///   - y: points from the top edge of the screen.
    ///   - phase: the phase of the touch.
    /// - Returns: the ID of the view that receives the touch, as in ``viewTree(of:)``; `nil` if no view takes the touch.
    /// - Throws: ``PhoneError`` if the phone is off or locked, no app is in front, or a permission sheet covers the screen.
    @discardableResult
    public func touch(atX x: Double, y: Double, phase: Phone.TouchPhase) async throws -> Int? {
        return try await phone.kernel.doing(.touch(x: x, y: y, phase)) { () async throws -> Int? in
            try phone.device.checkUsable()
            guard phone.screenState.permissionSheet == nil else {
                throw PhoneError(.noView, "A permission sheet covers the screen of \(phone.name): answer it first.")
            }
            guard let process = phone.life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(phone.name): open one first.")
            }
            var hit: Int?
            let now = phone.now.date.timeIntervalSinceReferenceDate
            await phone.kernel.call(process, "touch", waitsForProcess: false) {
                hit = process.application.touch(UITouch.Phase(phase), at: CGPoint(x: x, y: y), now: now)
            }
            return hit
        }
    }

    /// Scrolls a view of the app in front into sight, as VoiceOver does.
    ///
    /// - Parameter viewID: an ID from ``viewTree(of:)``; an unknown ID changes nothing.
    /// - Throws: ``PhoneError`` if the phone is off or locked, or no app is in front.
    public func reveal(_ viewID: Int) async throws {
        try await phone.kernel.doing(.reveal(viewID)) { () async throws -> Void in
            try phone.device.checkUsable()
            guard let process = phone.life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(phone.name): open one first.")
            }
            await phone.kernel.call(process, "reveal", waitsForProcess: false) { process.application.reveal(viewID) }
        }
    }

    /// Types on the keyboard: appends text to the text field or text view that is being edited in the app in front.
    ///
    /// - Parameter text: the text to append; a line break presses the Return key.
    /// - Throws: ``PhoneError`` if the phone is off or locked, no app is in front, or the app edits no text field or text view.
    public func type(_ text: String) async throws {
        try await phone.kernel.doing(.type(text)) { () async throws -> Void in
            try phone.device.checkUsable()
            guard let process = phone.life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(phone.name): open one first.")
            }
            var isTaken = false
            await phone.kernel.call(process, "type", waitsForProcess: false) {
                isTaken = process.application.type(text)
            }
            guard isTaken else {
                throw PhoneError(
                    .noView, "Nothing on the screen of \(phone.name) is being edited: tap a text field first.")
            }
        }
    }

    /// Taps the screen of the app in front.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the screen.
    ///   - y: points from the top edge of the screen.
    /// - Returns: the ID of the view that receives the touch, as in ``viewTree(of:)``; `nil` if no view takes the touch.
    /// - Throws: ``PhoneError`` if the phone is off or locked, no app is in front, or a permission sheet covers the screen.
    @discardableResult
    public func tap(atX x: Double, y: Double) async throws -> Int? {
        let hit = try await touch(atX: x, y: y, phase: .began)
        try await touch(atX: x, y: y, phase: .ended)
        return hit
    }

    // MARK: interruptions

    /// The system interface that covers the app in front, other than a permission sheet; `nil` for none.
    public var interruption: Interruption? { phone.screenState.interruption }

    /// Covers the app in front with a call or a system interface, so that the app becomes inactive.
    ///
    /// The app stays in the foreground until ``endInterruption()``, or until the person opens another app or the home screen.
    ///
    /// - Throws: ``PhoneError`` if the phone is off or locked.
    public func interrupt(with interruption: Interruption) async throws(PhoneError) {
        try await phone.kernel.doing(.interrupt(interruption)) { () async throws(PhoneError) -> Void in
            try phone.device.checkUsable()
            phone.screenState.cover(with: interruption)
            if let process = phone.life.processInFront { await phone.life.resignActive(process) }
        }
    }

    /// Ends the interruption, so that the app in front becomes active again.
    public func endInterruption() async {
        await phone.kernel.doing(.endInterruption) { () async -> Void in
            guard phone.screenState.interruption != nil else { return }
            phone.screenState.cover(with: nil)
            guard let front = phone.screenState.frontApp, let app = phone.apps[front],
                let process = phone.life.process(of: app)
            else {
                return
            }
            await phone.life.activate(process)
            phone.notifications.showWaitingPermissionSheet(for: app)
        }
    }

    // MARK: the expanded notification

    /// The expanded notification; `nil` if there is none.
    public var expanded: ExpandedNotification? {
        phone.screenState.expansion.map { expansion in
            ExpandedNotification(
                bundleID: expansion.app.bundle.bundleID, notification: expansion.notification,
                content: expansion.content?.described)
        }
    }

    /// Expands a notification by a long press: shows the notification's actions and the view of its content extension.
    ///
    /// The person can still tap, answer and dismiss an expanded notification.
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or the notification is not shown.
    public func expand(_ notificationID: String, in bundleID: String) async throws {
        try await phone.kernel.doing(.expand(notificationID, app: bundleID)) { () async throws -> Void in
            try await phone.person.expand(notificationID, in: bundleID)
        }
    }

    /// Closes the expanded notification: its content extension ends, its banner disappears, and the notification center keeps it.
    public func collapse() {
        phone.kernel.doingAtOnce(.collapse) { () -> Void in
            phone.screenState.collapse()
        }
    }

    /// The views that the content extension draws, in the extension's coordinates; `nil` if no content extension is shown.
    public var expandedViewTree: ViewSnapshot? {
        guard let content = phone.screenState.expansion?.content else { return nil }
        content.layOut()
        let size = content.described
        return viewTree(of: content.process, width: size.width, height: size.height)
    }

    /// Presses the play button of the expanded notification's content extension.
    ///
    /// - Throws: ``PhoneError`` (`noView`) if no notification with a play button is expanded.
    public func pressMediaButton() async throws {
        try await phone.kernel.doing(.pressMediaButton) { () async throws -> Void in
            guard let content = phone.screenState.expansion?.content, content.described.mediaButton != nil else {
                throw PhoneError(
                    .noView, "No notification with a play button is expanded on \(phone.name): expand one first.")
            }
            await phone.kernel.call(content.process, "mediaPlay") { content.press() }
            phone.kernel.changed(.screen)
        }
    }

    /// Sends a touch to the content extension: puts a finger on its view, moves the finger or lifts it.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the extension's view.
    ///   - y: points from the top edge of the extension's view.
    ///   - phase: the phase of the touch.
    /// - Returns: the ID of the view that receives the touch, as in ``expandedViewTree``; `nil` if no view takes the touch.
    /// - Throws: ``PhoneError`` (`noView`) if no notification with a content extension is expanded.
    @discardableResult
    public func touchExpanded(atX x: Double, y: Double, phase: Phone.TouchPhase) async throws -> Int? {
        return try await phone.kernel.doing(.touchExpanded(x: x, y: y, phase)) { () async throws -> Int? in
            guard let content = phone.screenState.expansion?.content else {
                throw PhoneError(.noView, "No notification with a content extension is expanded on \(phone.name).")
            }
            var hit: Int?
            let now = phone.now.date.timeIntervalSinceReferenceDate
            await phone.kernel.call(content.process, "touch") {
                hit = content.process.application.touch(UITouch.Phase(phase), at: CGPoint(x: x, y: y), now: now)
            }
            return hit
        }
    }
}

extension UITouch.Phase {
    init(_ phase: Phone.TouchPhase) {
        switch phase {
        case .began: self = .began
        case .moved: self = .moved
        case .ended: self = .ended
        case .cancelled: self = .cancelled
        }
    }
}
