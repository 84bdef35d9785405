import Foundation
import Synchronization

/// The settings that tell the system how an app uses sound; an app that offers phone calls must set them.
/// [AVAudioSession](https://developer.apple.com/documentation/avfaudio/avaudiosession)
///
/// Differs from iOS: settings are stored without effect, and no sound is played. All apps in one program share the session.
open class AVAudioSession: NSObject {
    private struct State: Sendable {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var sampleRate = 48_000.0
        var ioBufferDuration = 0.01
    }

    // `nonisolated(unsafe)` is safe here: a lock guards the session's state.
    private nonisolated(unsafe) static let shared = AVAudioSession()
    private let state = Mutex(State())

    open class func sharedInstance() -> AVAudioSession { shared }

    open var category: Category { state.withLock(\.category) }
    open var mode: Mode { state.withLock(\.mode) }
    open var categoryOptions: CategoryOptions { state.withLock(\.options) }
    open var preferredSampleRate: Double { state.withLock(\.sampleRate) }
    /// The preferred duration of the I/O buffer, in seconds.
    open var preferredIOBufferDuration: TimeInterval { state.withLock(\.ioBufferDuration) }

    open func setCategory(_ category: Category) throws {
        state.withLock { $0.category = category }
    }

    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        state.withLock { state in (state.category, state.options) = (category, options) }
    }

    @available(iOS 10, *)
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        state.withLock { state in (state.category, state.mode, state.options) = (category, mode, options) }
    }

    open func setMode(_ mode: Mode) throws {
        state.withLock { $0.mode = mode }
    }

    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        state.withLock { $0.sampleRate = sampleRate }
    }

    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        state.withLock { $0.ioBufferDuration = duration }
    }

    /// Activates or deactivates the session.
    ///
    /// Differs from iOS: the phone itself activates the session for a call; the app's request has no effect.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

    /// Overrides the output of the session.
    ///
    /// Differs from iOS: the override has no effect, because the phone has one loudspeaker.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {}
}
