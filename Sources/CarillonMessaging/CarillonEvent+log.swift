import Foundation

#if canImport(os)
    import os
#endif

extension CarillonEvent {
    /// What to do about a mistake in the app's own set-up; `nil` for an event that is none.
    public var advice: String? {
        switch self {
        case .appGroupIsUnusable(let group):
            "App and extension know nothing of one another: neither may use the App Group \(group). Check its spelling and the "
                + "capability App Groups of both targets."
        case .topicIsMissing:
            "There is no topic, so no push can reach this app: its bundle has no CFBundleIdentifier."
        case .environmentIsWrong(let said, let signed):
            "The configuration says \(said), and the app is signed for \(signed): APNs refuses its device tokens."
        case .appIsNotReady(let waiting):
            "\(waiting) taps wait for appIsReady(): call it when the first scene has its window."
        case .completionLeaked(let name):
            "\(name) did not call its completion handler in time: each of its callbacks has to."
        case .completionCalledTwice(let name):
            "\(name) called its completion handler twice: iOS ends an app that does so without a DelegateChain."
        case .delegatesConflict(let what): "Two links of the DelegateChain are at odds: \(what)."
        default: nil
        }
    }

    /// Writes an event to the system's log, mistakes of the app's own as errors; the default of `Carillon.Configuration.report`.
    ///
    /// On Linux only those are written, to the standard error.
    ///
    /// - Parameter event: holds no token, no secret and no text of a message.
    public static func log(_ event: CarillonEvent) {
        #if canImport(os)
            let logger = Logger(subsystem: "Carillon", category: "events")
            if let advice = event.advice {
                logger.error("\(advice, privacy: .public)")
            } else {
                logger.debug("\(String(describing: event), privacy: .public)")
            }
        #else
            if let advice = event.advice { FileHandle.standardError.write(Data("Carillon: \(advice)\n".utf8)) }
        #endif
    }
}
