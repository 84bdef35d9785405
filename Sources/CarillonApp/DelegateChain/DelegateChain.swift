import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon {
    /// A chain that forwards iOS's notification callbacks to several parts of the app, without swizzling.
    ///
    /// The app's delegates forward each callback to the chain. The chain calls its receivers, the links (``Link``), in order
    /// and answers iOS once.
    ///
    /// - For a remote notification the chain answers `.newData` if any link had new data, else `.failed` if any link failed,
    ///   else `.noData`.
    /// - For a notification in the foreground the chain merges the links' options by its ``PresentationPolicy``, and reports
    ///   different options. If no link with a `willPresent` handles the payload, the chain answers with
    ///   ``presentationOptions``.
    /// - The chain reports a link that does not answer in time, and answers iOS without that link's answer.
    @MainActor
    public final class DelegateChain {
        /// The rule that merges different answers about the presentation of a notification.
        public enum PresentationPolicy: Sendable, Hashable {
            /// Shows the notification with every option that any link wants.
            case union
            /// Shows the notification only with the options that all links want.
            case intersection
            /// Shows the notification as the first link that handles the payload wants.
            case first
        }

        /// The presentation of a foreground notification that no link with a `willPresent` handles.
        ///
        /// The default is banner, list, sound and badge.
        public var presentationOptions: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]

        private let policy: PresentationPolicy
        private let clock: any CarillonClock
        private let report: @Sendable (CarillonEvent) -> Void
        private var links: [Link] = []

        /// Makes a chain without links; until you add one, the chain answers every callback at once.
        ///
        /// - Parameters:
        ///   - policy: the rule that merges different presentation options. The default is ``PresentationPolicy/first``: add
        ///     the link that should decide first.
        ///   - report: receives events for the developer; the default logs them.
        public convenience init(
            policy: PresentationPolicy = .first,
            report: @escaping @Sendable (Event) -> Void = { Event.log($0) }
        ) {
            self.init(policy: policy, clock: AppPlatform.current(appGroup: nil).clock, report: report)
        }

        package init(
            policy: PresentationPolicy = .first, clock: any CarillonClock,
            report: @escaping @Sendable (Event) -> Void
        ) {
            self.policy = policy
            self.clock = clock
            self.report = report
        }

        /// Adds a link at the end.
        ///
        /// - Parameter link: the new link. If the chain already has a link with this name, the chain ignores and reports the
        ///   new one.
        public func add(_ link: Link) {
            guard !links.contains(where: { $0.name == link.name }) else {
                report(.delegatesConflict("the chain has a link \(link.name) already; the second one was not added"))
                return
            }
            links.append(link)
            link.wasAdded(link.handles)
        }

        // MARK: The device token

        /// Forwards the device token to every link.
        ///
        /// Call it from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
        ///
        /// - Parameter deviceToken: the token as iOS gave it.
        public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
            for link in links { link.didRegister?(deviceToken) }
        }

        /// Forwards to every link the error with which iOS refused a device token.
        ///
        /// Call it from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
        ///
        /// - Parameter error: the error as iOS gave it.
        public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
            for link in links { link.didFailToRegister?(error) }
        }

        // MARK: Notifications

        /// Forwards a remote notification to the links that handle its payload.
        ///
        /// Call it from `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
        ///
        /// - Parameters:
        ///   - userInfo: the payload.
        ///   - completionHandler: called exactly once, on the main thread, within 25 seconds.
        public func didReceiveRemoteNotification(
            _ userInfo: [AnyHashable: Any],
            fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            let payload = Carillon.payload(userInfo)
            let receivers = links.filter { $0.remoteNotification != nil && $0.handles(payload) }
            let callback = ForwardedCallback<UIBackgroundFetchResult>(
                receivers.map(\.name), within: AppLimits.completionHandlerTime, clock: clock, report: report
            ) { completionHandler(Self.merged($0)) }
            for link in receivers { link.remoteNotification?(userInfo, callback.handler(for: link.name)) }
        }

        /// Forwards a notification that arrives in the foreground to the links that handle its payload.
        ///
        /// Call it from `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
        ///
        /// - Parameters:
        ///   - notification: the notification that arrives.
        ///   - completionHandler: called exactly once, on the main thread, within 5 seconds.
        public func willPresent(
            _ notification: UNNotification,
            withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
        ) {
            let payload = Carillon.payload(notification.request.content.userInfo)
            guard !links.contains(where: { $0.isPuttingBack(notification.request.identifier) }) else {
                return completionHandler([.list])
            }
            let receivers = links.filter { $0.willPresent != nil && $0.handles(payload) }
            guard !receivers.isEmpty else { return completionHandler(presentationOptions) }
            let callback = ForwardedCallback<UNNotificationPresentationOptions>(
                receivers.map(\.name), within: AppLimits.presentationTime, clock: clock, report: report
            ) { [policy, report] answers in
                if Set(answers.map(\.rawValue)).count > 1 {
                    let names = receivers.map(\.name).joined(separator: ", ")
                    report(.delegatesConflict("\(names) want the notification shown differently; \(policy) decides"))
                }
                completionHandler(Self.merged(answers, policy))
            }
            for link in receivers { link.willPresent?(notification, callback.handler(for: link.name)) }
        }

        /// Forwards the person's response to the links that handle the notification's payload.
        ///
        /// Call it from `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
        ///
        /// - Parameters:
        ///   - response: the response as iOS gave it.
        ///   - completionHandler: called exactly once, on the main thread, within 25 seconds.
        public func didReceive(
            _ response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            let payload = Carillon.payload(response.notification.request.content.userInfo)
            let receivers = links.filter { $0.didReceive != nil && $0.handles(payload) }
            let callback = ForwardedCallback<Bool>(
                receivers.map(\.name), within: AppLimits.completionHandlerTime, clock: clock, report: report
            ) { _ in completionHandler() }
            for link in receivers {
                let handler = callback.handler(for: link.name)
                link.didReceive?(response) { handler(true) }
            }
        }

        /// Forwards the person's request for the app's own notification settings.
        ///
        /// Call it from `userNotificationCenter(_:openSettingsFor:)`.
        ///
        /// - Parameter notification: the notification that led the person to the settings; forwarded to the links that handle
        ///   its payload. `nil` if the person came from the Settings app; forwarded to every link.
        public func openSettings(for notification: UNNotification?) {
            let payload = notification.map { Carillon.payload($0.request.content.userInfo) }
            for link in links where payload.map(link.handles) ?? true { link.openSettings?(notification) }
        }

        // MARK: Merging

        nonisolated static func merged(_ results: [UIBackgroundFetchResult]) -> UIBackgroundFetchResult {
            results.contains(.newData) ? .newData : results.contains(.failed) ? .failed : .noData
        }

        nonisolated static func merged(
            _ answers: [UNNotificationPresentationOptions], _ policy: PresentationPolicy
        ) -> UNNotificationPresentationOptions {
            guard let first = answers.first else { return [] }
            return switch policy {
            case .first: first
            case .union: answers.reduce(first) { $0.union($1) }
            case .intersection: answers.reduce(first) { $0.intersection($1) }
            }
        }
    }
}
