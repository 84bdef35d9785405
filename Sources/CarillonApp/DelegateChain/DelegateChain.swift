import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon {
    /// A chain of delegates to which an app forwards iOS's notification callbacks, without swizzling.
    ///
    /// The app's own delegates forward each callback to the chain. The chain calls its delegates (each a ``Link``) in order, and
    /// answers iOS once.
    ///
    /// - For a remote notification the chain answers `.newData` if any delegate had new data, else `.failed` if any delegate
    ///   failed, else `.noData`.
    /// - For a notification in the foreground the chain merges the delegates' presentation options by its
    ///   ``PresentationPolicy``, and reports an event if those options differ from each other. If no delegate with a
    ///   `willPresent` closure handles the payload, the chain answers with ``presentationOptions``.
    /// - The chain reports a delegate that does not answer in time, and answers iOS without that delegate's answer.
    @MainActor
    public final class DelegateChain {
        /// The rule by which the chain merges its delegates' answers about the presentation of a notification.
        public enum PresentationPolicy: Sendable, Hashable {
            /// Shows the notification with every option that any delegate in the chain wants.
            case union
            /// Shows the notification only with the options that all delegates in the chain want.
            case intersection
            /// Shows the notification with the options of the first delegate in the chain that handles the payload.
            case first
        }

        /// The presentation of a notification in the foreground, if no delegate with a `willPresent` closure handles the payload.
        ///
        /// The default is banner, list, sound and badge.
        public var presentationOptions: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]

        private let policy: PresentationPolicy
        private let clock: any CarillonClock
        private let report: @Sendable (CarillonEvent) -> Void
        private var links: [Link] = []

        /// Makes a chain without delegates; until you add one, the chain answers every callback at once.
        ///
        /// - Parameters:
        ///   - policy: the rule that merges different presentation options. The default is ``PresentationPolicy/first``: the
        ///     delegate that was added first decides.
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

        /// Adds a delegate at the end of the chain.
        ///
        /// - Parameter link: the new delegate. If the chain already has a delegate with this name, the chain ignores and reports
        ///   the new one.
        public func add(_ link: Link) {
            guard !links.contains(where: { $0.name == link.name }) else {
                report(.delegatesConflict("the chain has a link \(link.name) already; the second one was not added"))
                return
            }
            links.append(link)
            link.wasAdded(link.handles)
        }

        // MARK: The device token

        /// Forwards the device token to every delegate in the chain.
        ///
        /// Call it from `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`.
        ///
        /// - Parameter deviceToken: the token as iOS gave it.
        public func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
            for link in links { link.didRegister?(deviceToken) }
        }

        /// Tells every delegate in the chain that iOS gave no device token, and why.
        ///
        /// Call it from `application(_:didFailToRegisterForRemoteNotificationsWithError:)`.
        ///
        /// - Parameter error: the error as iOS gave it.
        public func didFailToRegisterForRemoteNotifications(withError error: any Error) {
            for link in links { link.didFailToRegister?(error) }
        }

        // MARK: Notifications

        /// Forwards a remote notification to the delegates in the chain that handle its payload.
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

        /// Forwards a notification that arrives in the foreground to the delegates in the chain that handle its payload.
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
            guard !links.contains(where: { $0.takePutBack(notification.request) }) else {
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

        /// Forwards the person's response to the delegates in the chain that handle the notification's payload.
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

        /// Forwards the person's request for the app's own notification settings to the delegates in the chain.
        ///
        /// Call it from `userNotificationCenter(_:openSettingsFor:)`.
        ///
        /// - Parameter notification: the notification from whose menu the person came; only the delegates that handle its
        ///   payload are called. The argument is `nil` if the person came from the Settings app; then every delegate is called.
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
