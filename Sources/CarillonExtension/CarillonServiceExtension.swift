import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// An event that a developer should know of, for an extension that imports `CarillonExtension` alone.
public typealias CarillonEvent = CarillonMessaging.CarillonEvent

/// Carillon in a notification service extension, which iOS runs for every alert with `mutable-content`.
///
/// It also runs after the app was force-quit. It carries out the removals that the push brings along, withholds messages
/// that were recalled or have expired, quietens second deliveries, attaches a file, and sends receipts.
///
/// Subclass it in the extension's target, and give app and extension the same App Group:
///
/// ```swift
/// nonisolated final class NotificationService: CarillonServiceExtension {
///     override var appGroup: String? { "group.com.example.app" }
///     override var service: URL? { URL(string: "https://push.example.com") }
/// }
/// ```
open class CarillonServiceExtension: UNNotificationServiceExtension {
    private var answer: ContentAnswer?
    private var work: Task<Void, Never>?

    /// The App Group that the app passes to `Carillon`.
    ///
    /// Without it the extension knows nothing of what the app knows. The default is `nil`.
    open var appGroup: String? { nil }

    /// Where the Carillon service answers, to send receipts at once.
    ///
    /// The default, `nil`, leaves them to the app's next launch.
    open var service: URL? { nil }

    /// How requests reach the service; the default is `URLSessionConfiguration.ephemeral`.
    open var urlSession: URLSessionConfiguration { .ephemeral }

    /// Whether the extension has the entitlement `com.apple.developer.usernotifications.filtering`.
    ///
    /// With it a recalled or expired message does not appear at all. The default is `false`: its text is replaced by
    /// ``withdrawnText``.
    open var maySuppress: Bool { false }

    /// The text of a message that may not be seen any more, where ``maySuppress`` is `false`.
    open var withdrawnText: String { "This message is no longer available." }

    /// The largest attachment, in bytes, where Apple's own limit for its type is not lower.
    ///
    /// Apple's limits are 5 MiB for audio, 10 MiB for images and 50 MiB for video. The default is those alone.
    open var attachmentByteLimit: Int { .max }

    /// Decrypts the content of an end-to-end encrypted message; the default changes nothing.
    ///
    /// Such a message travels in keys of the payload beside `aps`, with a placeholder as its text. Called once for each
    /// notification, before anything else and on the thread on which iOS calls `didReceive(_:withContentHandler:)`, so
    /// that the readable text is shown even when time runs out afterwards. A `media_url` that it puts into `userInfo` is
    /// downloaded as if it had come with the push. A recalled or expired message is withheld, whatever is set here.
    ///
    /// - Parameter content: as it came, with the whole payload in `userInfo`; change it in place.
    /// - Throws: whatever prevents it; the notification is shown as it came, and
    ///   ``CarillonEvent/decryptionFailed(identifier:errorType:)`` is reported.
    open func decrypt(_ content: UNMutableNotificationContent) throws {}

    /// Receives what a developer should know of, on any thread; the default logs it.
    ///
    /// - Parameter event: holds no token, no secret and no text.
    open func report(_ event: CarillonEvent) { CarillonEvent.log(event) }

    /// Makes another transport to the service, for a test; a property, because no other module can override what is `package`.
    package var makeTransport: (@Sendable (AppPlatform) -> any ServiceTransport)?

    /// Whether a notification is one that Carillon understands; the others are for another SDK of the app.
    ///
    /// An app has one service extension. One that serves two SDKs hands each what is its own.
    ///
    /// - Parameter request: as iOS gave it.
    /// - Returns: `false` for a payload in none of the dialects that Carillon understands.
    public static func handles(_ request: UNNotificationRequest) -> Bool {
        PushInterpreter().instructions(forUserInfo: request.content.userInfo).dialect != .foreign
    }

    /// Handles one notification; called by iOS.
    ///
    /// - Parameters:
    ///   - request: the notification as it came.
    ///   - contentHandler: called exactly once, at the latest after 25 of the about 30 seconds that iOS gives.
    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = decrypted(request)
        let answer = ContentAnswer(content, handler: contentHandler)
        self.answer = answer
        let platform = AppPlatform.current(appGroup: appGroup)
        if let group = platform.unusableAppGroup { report(.appGroupIsUnusable(group)) }
        let extensionWork = ExtensionWork(
            request: request, platform: platform,
            service: service.map { ServiceClient(url: $0, transport: transport(platform)) },
            onVeto: maySuppress ? .suppress : .replaceText(withdrawnText),
            media: AttachmentRequest(content.userInfo, byteLimit: attachmentByteLimit), answer: answer,
            randomness: platform.randomness, report: Self.report(of: self))
        let center = UNUserNotificationCenter.current()
        let deadline = platform.clock.schedule(after: AppLimits.extensionTime) { answer.give() }
        work = Task { @MainActor in
            await extensionWork.run(NotificationCenterClient(center: center))
            deadline.cancel()
        }
    }

    /// Shows what there is by now; called by iOS when its own time is almost over.
    open override func serviceExtensionTimeWillExpire() { answer?.give() }

    private func transport(_ platform: AppPlatform) -> any ServiceTransport {
        makeTransport?(platform) ?? URLSessionTransport(platform: platform, session: urlSession)
    }

    /// The content after ``decrypt(_:)``, or as it came if that threw; the hook works on a copy, so that a failure leaves
    /// nothing half-changed.
    private func decrypted(_ request: UNNotificationRequest) -> UNNotificationContent {
        guard let copy = request.content.mutableCopy() as? UNMutableNotificationContent else { return request.content }
        do {
            try decrypt(copy)
            return copy
        } catch {
            // Only the type: the description of a decoder's error may quote the text.
            report(.decryptionFailed(identifier: request.identifier, errorType: "\(type(of: error))"))
            return request.content
        }
    }

    private static func report(of service: CarillonServiceExtension) -> @Sendable (CarillonEvent) -> Void {
        let reporter = Reporter(service: service)
        return { reporter.service?.report($0) }
    }

    /// `@unchecked`: iOS lets the extension's object be called from any thread, and ``report(_:)`` must expect that.
    private struct Reporter: @unchecked Sendable {
        weak var service: CarillonServiceExtension?
    }
}
