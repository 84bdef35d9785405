import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The views of an app, and touches on them.
extension Phone {
    /// Returns the app's windows as drawn now, in the screen's coordinates; `nil` while the app does not run.
    ///
    /// Ask again after `PhoneChange.views`; and, while ``isAnimating(_:)``, as often as the picture is to move.
    public func viewTree(of bundleID: String) -> ViewSnapshot? {
        life.process(of: bundleID).map { process in
            let bounds = process.screen.bounds
            return viewTree(of: process, width: Double(bounds.width), height: Double(bounds.height))
        }
    }

    func viewTree(of process: AppProcess, width: Double, height: Double) -> ViewSnapshot {
        let windows = process.application.windowsToDraw
        // Laying out may load a view for the first time, and so run code of the app.
        SimulatedDevices.$taskLocal.withValue(process) {
            for window in windows { window.layoutIfNeeded() }
        }
        return ViewSnapshot(
            id: 0, kind: .screen, frame: .init(x: 0, y: 0, width: width, height: height), alpha: 1,
            cornerRadius: 0, clips: true, isTappable: false, isEnabled: true,
            children: windows.compactMap { ViewSnapshot($0) })
    }

    /// Whether a view of the app is being animated.
    public func isAnimating(_ bundleID: String) -> Bool {
        life.process(of: bundleID)?.application.windowsToDraw.contains(where: \.isAnimatingSomewhere) ?? false
    }

    /// The phase of a touch on the screen.
    public enum TouchPhase: String, Sendable, Hashable, Codable { case began, moved, ended, cancelled }

    /// Puts a finger on the screen of the app in front, moves it or lifts it.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the screen.
    ///   - y: points from the top edge of the screen.
    ///   - phase: the phase of the touch.
    /// - Returns: the ID of the view that has the touch, as in ``viewTree(of:)``; `nil` when no view takes it.
    /// - Throws: ``PhoneError``: off, locked, no app in front, or a permission sheet over it.
    @discardableResult
    public func touch(atX x: Double, y: Double, phase: TouchPhase) async throws -> Int? {
        return try await kernel.doing(.touch(x: x, y: y, phase)) { () async throws -> Int? in
            try device.checkUsable()
            guard screenState.permissionSheet == nil else {
                throw PhoneError(.noView, "A permission sheet covers the screen of \(name): answer it first.")
            }
            guard let process = life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(name): open one first.")
            }
            var hit: Int?
            let now = self.now.date.timeIntervalSinceReferenceDate
            await kernel.call(process, "touch") {
                hit = process.application.touch(UITouch.Phase(phase), at: CGPoint(x: x, y: y), now: now)
            }
            return hit
        }
    }

    /// Scrolls a view of the app in front into sight, as VoiceOver does.
    ///
    /// - Parameter viewID: as in ``viewTree(of:)``; one that is not there changes nothing.
    /// - Throws: ``PhoneError``: off, locked, or no app in front.
    public func reveal(_ viewID: Int) async throws {
        try await kernel.doing(.reveal(viewID)) { () async throws -> Void in
            try device.checkUsable()
            guard let process = life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(name): open one first.")
            }
            await kernel.call(process, "reveal") { process.application.reveal(viewID) }
        }
    }

    /// Types on the keyboard: into the text field or text view of the app in front that is being edited, at its end.
    ///
    /// - Parameter text: a line break is the key Return.
    /// - Throws: ``PhoneError``: off, locked, no app in front, or nothing in it that is being edited.
    public func type(_ text: String) async throws {
        try await kernel.doing(.type(text)) { () async throws -> Void in
            try device.checkUsable()
            guard let process = life.processInFront else {
                throw PhoneError(.noView, "No app is in front on \(name): open one first.")
            }
            var isTaken = false
            await kernel.call(process, "type") { isTaken = process.application.type(text) }
            guard isTaken else {
                throw PhoneError(.noView, "Nothing on the screen of \(name) is being edited: tap a text field first.")
            }
        }
    }

    /// Runs code as the app's own callbacks run, so that `shared` and `current()` mean this phone in it.
    ///
    /// Does nothing while the app does not run.
    ///
    /// - Returns: whether it was run.
    @discardableResult
    public func run(in bundleID: String, _ body: @escaping @MainActor () -> Void) async -> Bool {
        return await kernel.doing(.run(bundleID)) { () async -> Bool in
            guard let process = life.process(of: bundleID), process.gate.phase == .running else { return false }
            return await kernel.call(process, "block", body)
        }
    }

    /// Taps the screen of the app in front.
    ///
    /// - Parameters:
    ///   - x: points from the left edge of the screen.
    ///   - y: points from the top edge of the screen.
    /// - Returns: the ID of the view that has the touch, as in ``viewTree(of:)``; `nil` when no view takes it.
    /// - Throws: ``PhoneError``: off, locked, no app in front, or a permission sheet over it.
    @discardableResult
    public func tapScreen(atX x: Double, y: Double) async throws -> Int? {
        let hit = try await touch(atX: x, y: y, phase: .began)
        try await touch(atX: x, y: y, phase: .ended)
        return hit
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
