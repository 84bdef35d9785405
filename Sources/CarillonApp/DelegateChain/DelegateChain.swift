import CarillonCore
import CarillonMessaging
import Foundation
import UIKit
import UserNotifications

extension Carillon {
    /// Forwards iOS's callbacks about notifications to several parts of the app, without swizzling.
    ///
    /// The app's delegates forward each callback to the chain. The chain calls its links in order and answers iOS once.
    ///
    /// - The result of a remote notification is new data if any link had new data, else failed if any link failed, else no
    ///   data.
    /// - ``PresentationPolicy`` merges the links' answers about presentation in the foreground; different answers are reported.
    ///   If no link with a `willPresent` handles the payload, ``presentationOptions`` apply.
    /// - A link that does not answer in time is reported, and the chain answers without it.
    @MainActor
    public final class DelegateChain {
        /// The rule that merges different answers about the presentation of a notification.
        public enum PresentationPolicy: Sendable, Hashable {
            /// Every option that any link wants.
            case union
            /// Only the options that all links want.
            case intersection
            /// The answer of the first link that handles the payload.
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

        /// Makes a chain without links, which answers at once.
        ///
        /// - Parameters:
        ///   - policy: the default is ``PresentationPolicy/first``: add the deciding link first.
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
        /// - Parameter link: ignored and reported if the chain already has a link with this name.
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

        /// Forwards the error to every link if iOS gives no device token.
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
        /// - Parameter notification: the notification whose menu the person used, forwarded to the links that handle its
        ///   payload. `nil`, from the Settings app, is forwarded to every link.
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
