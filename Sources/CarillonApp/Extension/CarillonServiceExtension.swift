import CarillonCore
import Foundation
import UserNotifications

/// Carillon in a notification service extension: it runs for every alert that Carillon sends, also after the app was
/// force-quit, and carries out what the push brings along before it is shown.
///
/// Subclass it in the extension's target, and give app and extension the same App Group:
///
/// ```swift
/// final class NotificationService: CarillonServiceExtension {
///     override var appGroup: String? { "group.com.example.app" }
///     override var service: URL? { URL(string: "https://push.example.com") }
/// }
/// ```
open class CarillonServiceExtension: UNNotificationServiceExtension {
    private var answer: ContentAnswer?
    private var work: Task<Void, Never>?

    /// The App Group that the app gave to ``AppPlatform/current(appGroup:)``. Without it the extension knows nothing
    /// of what the app knows. The default is `nil`.
    open var appGroup: String? { nil }

    /// Where to send receipts at once. The default, `nil`, leaves them to the app's next launch.
    open var service: URL? { nil }

    /// Whether the extension has the entitlement `com.apple.developer.usernotifications.filtering`: then a recalled or
    /// expired message does not appear at all. The default is `false`: its text is replaced by ``withdrawnText``.
    open var maySuppress: Bool { false }

    /// What stands in the place of a message that may not be seen any more.
    open var withdrawnText: String { "This message is no longer available." }

    /// The most bytes that an attached file may have, where Apple's own limit for its kind (``AttachmentRule``) is not
    /// lower. The default is Apple's limit alone.
    open var attachmentByteLimit: Int { .max }

    /// Opens what came sealed: an end-to-end encrypted message travels in keys of the payload beside `aps`, with a
    /// placeholder as its text. To be overridden by apps that encrypt; the default changes nothing.
    ///
    /// Called once for each notification, before anything else and on the thread on which iOS calls
    /// `didReceive(_:withContentHandler:)`, so that the readable text is shown even when time runs out afterwards. A
    /// `media_url` that it puts into `userInfo` is fetched as if it had come with the push. What is recalled or has
    /// expired stays unseen, whatever is set here.
    ///
    /// - Parameter content: as it came, with the whole payload in `userInfo`; change it in place.
    /// - Throws: whatever prevents it; the notification is shown as it came, and
    ///   ``CarillonEvent/decryptionFailed(identifier:errorType:)`` is reported.
    open func decrypt(_ content: UNMutableNotificationContent) throws {}

    /// Hears of what a developer should know. The default drops it.
    open func report(_ event: CarillonEvent) {}

    /// How the service is reached. The default is `URLSession`.
    open func makeTransport(_ platform: AppPlatform) -> any ServiceTransport { URLSessionTransport(platform: platform) }

    open override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = decrypted(request)
        let answer = ContentAnswer(content, handler: contentHandler)
        self.answer = answer
        let platform = AppPlatform.current(appGroup: appGroup)
        let extensionWork = ExtensionWork(
            request: request, platform: platform,
            service: service.map { ServiceClient(url: $0, transport: makeTransport(platform)) },
            onVeto: maySuppress ? .suppress : .replaceText(withdrawnText),
            media: AttachmentRequest(content.userInfo, byteLimit: attachmentByteLimit), answer: answer,
            randomness: SystemRandomNumberGenerator(),  // iOS makes this object: nobody could hand one in
            report: Self.report(of: self))
        let center = UNUserNotificationCenter.current()
        let deadline = platform.clock.schedule(after: CompletionDeadlines.longest) { answer.give() }
        work = Task { @MainActor in
            await extensionWork.run(NotificationCenterClient(center: center))
            deadline.cancel()
        }
    }

    open override func serviceExtensionTimeWillExpire() { answer?.give() }

    /// A failure half-way leaves nothing behind: the hook works on a copy.
    private func decrypted(_ request: UNNotificationRequest) -> UNNotificationContent {
        guard let copy = request.content.mutableCopy() as? UNMutableNotificationContent else { return request.content }
        do {
            try decrypt(copy)
            return copy
        } catch {
            // Only the type: what a decoder says of an error may quote the text.
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
