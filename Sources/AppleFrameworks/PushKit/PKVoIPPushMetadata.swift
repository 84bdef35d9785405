import Foundation

/// Facts that the system knows of a VoIP push.
/// [PKVoIPPushMetadata](https://developer.apple.com/documentation/pushkit/pkvoippushmetadata)
///
/// `@unchecked Sendable`: nothing changes after the initialiser; a subclass of the app is its own affair, as on iOS.
@available(iOS 26.4, *)
open class PKVoIPPushMetadata: NSObject, @unchecked Sendable {
    /// Whether the app must report a call or a conversation because of this push.
    ///
    /// Differs from iOS: iOS says `false` also for a push that comes late, and Apple does not say how late that is. The phone says
    /// `false` only while the app is in the foreground or a call lasts.
    public let mustReport: Bool
    /// Called if the delegate implements neither form of the method that has the parameter `metadata`.
    let isUnimplemented: @Sendable () -> Void

    @_spi(Simulation) public init(mustReport: Bool, isUnimplemented: @escaping @Sendable () -> Void) {
        self.mustReport = mustReport
        self.isUnimplemented = isUnimplemented
    }
}
