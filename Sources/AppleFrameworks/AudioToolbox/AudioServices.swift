import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The identifier of a system sound.
public typealias SystemSoundID = UInt32

/// The system sound that makes the phone vibrate.
public let kSystemSoundID_Vibrate: SystemSoundID = 0x0FFF

/// Plays a short sound.
///
/// The simulated phone stays silent, and lists the sound among its records of haptic feedback.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) { note(inSystemSoundID) {} }

/// Plays a short sound as an alert.
///
/// The simulated phone stays silent, and lists the sound among its records of haptic feedback.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) { note(inSystemSoundID) {} }

/// Plays a short sound, and calls the block when the sound is over.
///
/// Differs from iOS: the sound ends immediately.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) { note(inSystemSoundID) { inCompletionBlock?() } }

/// Plays a short sound as an alert, and calls the block when the sound is over.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) { note(inSystemSoundID) { inCompletionBlock?() } }

private func note(_ sound: SystemSoundID, _ completion: @escaping @Sendable () -> Void) {
    let text = sound == kSystemSoundID_Vibrate ? "vibration" : "system sound \(sound)"
    let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess
    DispatchQueue.main.async {
        MainActor.assumeIsolated { process?.application.backend.noticed(.haptic(text)) }
        completion()
    }
}
