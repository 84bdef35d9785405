import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// An event of the SDK; with this alias an extension needs to import only `CarillonExtension`.
public typealias CarillonEvent = CarillonMessaging.CarillonEvent

/// The Carillon push SDK in a notification service extension, which iOS runs for every alert with `mutable-content`.
///
/// iOS runs the extension even after the person has force-quit the app. The extension removes the notifications that the push
/// names, and withholds messages that were recalled or have expired. It shows repeated deliveries without sound, attaches a file,
/// and sends receipts.
///
/// Subclass this class in the extension's target, and give app and extension the same App Group:
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

    /// The App Group that the app also passes to `Carillon`.
    ///
    /// Without an App Group the extension cannot read the app's data. The default is `nil`.
    open var appGroup: String? { nil }

    /// The address of the Carillon service, to which the extension sends its receipts immediately.
    ///
    /// The default is `nil`: the app sends the receipts at its next launch.
    open var service: URL? { nil }

    /// The configuration of the `URLSession` that sends requests to the service; the default is
    /// `URLSessionConfiguration.ephemeral`.
    open var urlSession: URLSessionConfiguration { .ephemeral }

    /// Whether the extension has the entitlement `com.apple.developer.usernotifications.filtering`.
    ///
    /// If it is `true`, recalled and expired messages do not appear at all. The default is `false`: ``withdrawnText`` replaces
    /// their text.
    open var maySuppress: Bool { false }

    /// The text that replaces the text of a recalled or expired message if ``maySuppress`` is `false`.
    ///
    /// The notification then contains nothing else of the message, so a tap passes nothing to the app.
    open var withdrawnText: String { "This message is no longer available." }

    /// The size, in bytes, above which an attachment is not downloaded.
    ///
    /// Apple's limits apply too: 5 MiB for audio, 10 MiB for images and 50 MiB for video. By default only Apple's limits apply.
    open var attachmentByteLimit: Int { .max }

    /// Decrypts the content of an end-to-end encrypted message; the default changes nothing.
    ///
    /// The encrypted content travels in keys of the payload beside `aps`, with a placeholder as the visible text.
    ///
    /// The SDK calls this method once for each notification, before all other work, so that the readable text is shown even if
    /// time runs out. The call comes on the thread on which iOS calls `didReceive(_:withContentHandler:)`.
    ///
    /// If this method puts a `media_url` into `userInfo`, the SDK downloads that file as if the push had named it. The SDK
    /// withholds a recalled or expired message even if its content was decrypted.
    ///
    /// - Parameter content: the notification's content, with the whole payload in `userInfo`; change it in place.
    /// - Throws: the error that prevents decryption. The SDK then shows the notification as it came, and reports
    ///   ``CarillonEvent/decryptionFailed(identifier:errorType:)``.
    open func decrypt(_ content: UNMutableNotificationContent) throws {}

    /// Receives events for the developer, on any thread; the default logs them.
    ///
    /// - Parameter event: an event without tokens, secrets and texts.
    open func report(_ event: CarillonEvent) { CarillonEvent.log(event) }

    /// The closure that makes a transport to replace `URLSession` in a test; `nil` in an app.
    ///
    /// This is a property, because other modules cannot override a `package` method.
    package var makeTransport: (@Sendable (AppPlatform) -> any ServiceTransport)?

    /// Returns whether Carillon understands a notification; other notifications belong to another SDK of the app.
    ///
    /// An app has only one service extension. If it serves two SDKs, call this method to choose the right one.
    ///
    /// - Parameter request: the notification's request, as iOS passed it to the extension.
    /// - Returns: `false` for a payload whose format Carillon does not understand.
    public static func handles(_ request: UNNotificationRequest) -> Bool {
        PushInterpreter().instructions(forUserInfo: request.content.userInfo).dialect != .foreign
    }

    /// Processes one notification; iOS calls this method.
    ///
    /// - Parameters:
    ///   - request: the notification as it came.
    ///   - contentHandler: called exactly once, after at most 25 of the about 30 seconds that iOS gives.
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

    /// Shows the content with the changes made so far; iOS calls this method when the extension's time is almost over.
    open override func serviceExtensionTimeWillExpire() { answer?.give() }

    private func transport(_ platform: AppPlatform) -> any ServiceTransport {
        makeTransport?(platform) ?? URLSessionTransport(platform: platform, session: urlSession)
    }

    /// Returns the notification's content after ``decrypt(_:)``, or the original content if ``decrypt(_:)`` throws.
    ///
    /// ``decrypt(_:)`` works on a copy, so that a failure leaves nothing half-changed.
    private func decrypted(_ request: UNNotificationRequest) -> UNNotificationContent {
        guard let copy = request.content.mutableCopy() as? UNMutableNotificationContent else { return request.content }
        do {
            try decrypt(copy)
            return copy
        } catch {
            // Reports only the type, because the description of a decoder's error may quote the text.
            report(.decryptionFailed(identifier: request.identifier, errorType: "\(type(of: error))"))
            return request.content
        }
    }

    private static func report(of service: CarillonServiceExtension) -> @Sendable (CarillonEvent) -> Void {
        let reporter = Reporter(service: service)
        return { reporter.service?.report($0) }
    }

    /// A weak reference to the service extension, through which any thread reports events.
    ///
    /// `@unchecked`: iOS may call the extension's object from any thread, so ``report(_:)`` must be safe on any thread.
    private struct Reporter: @unchecked Sendable {
        weak var service: CarillonServiceExtension?
    }
}
