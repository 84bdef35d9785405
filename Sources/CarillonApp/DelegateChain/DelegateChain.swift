import CarillonCore
import Foundation
import UIKit
import UserNotifications

/// Several delegates in the place of one, chained in the open instead of by swizzling: the app's delegate forwards
/// iOS' three callbacks to the chain, the chain asks its links in their order and answers once for all.
///
/// - A wake's result: new data if anybody had any, else failed if anybody failed, else no data.
/// - How a notification is shown: by ``PresentationPolicy``. Different answers are reported.
/// - Who does not answer in time is named, and goes without.
@MainActor
public final class DelegateChain {
    /// What becomes of different answers to "how shall this be shown?".
    public enum PresentationPolicy: Sendable, Hashable {
        /// What anybody wants shown.
        case union
        /// Only what everybody wants shown.
        case intersection
        /// What the first link says that handles the payload.
        case first
    }

    /// How long the links may take to say how a notification is shown; iOS does not wait for ever.
    public static let presentationPatience = Duration.seconds(5)

    private let policy: PresentationPolicy
    private let clock: any CarillonClock
    private let report: @Sendable (CarillonEvent) -> Void
    private var links: [DelegateLink] = []

    /// - Parameters:
    ///   - policy: the default is `.first`, so put first whoever is to decide.
    ///   - clock: ``AppPlatform/clock``.
    public init(
        policy: PresentationPolicy = .first, clock: any CarillonClock,
        report: @escaping @Sendable (CarillonEvent) -> Void
    ) {
        self.policy = policy
        self.clock = clock
        self.report = report
    }

    /// Puts a link at the end. A second link of the same name is refused, and reported.
    public func add(_ link: DelegateLink) {
        guard !links.contains(where: { $0.name == link.name }) else {
            report(.delegatesConflict("the chain has a link \(link.name) already; the second one was not added"))
            return
        }
        links.append(link)
    }

    // MARK: The three callbacks

    public func handle(
        remoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let payload = Carillon.payload(userInfo)
        let asked = links.filter { $0.remoteNotification != nil && $0.handles(payload) }
        let question = ChainedCall<UIBackgroundFetchResult>(
            asked.map(\.name), within: CompletionDeadlines.longest, clock: clock, report: report
        ) { completionHandler(Self.merged($0)) }
        for link in asked { link.remoteNotification?(userInfo, question.reply(link.name)) }
    }

    public func willPresent(
        _ notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        let payload = Carillon.payload(notification.request.content.userInfo)
        let asked = links.filter { $0.willPresent != nil && $0.handles(payload) }
        let question = ChainedCall<UNNotificationPresentationOptions>(
            asked.map(\.name), within: Self.presentationPatience, clock: clock, report: report
        ) { [policy, report] answers in
            if Set(answers.map(\.rawValue)).count > 1 {
                let names = asked.map(\.name).joined(separator: ", ")
                report(.delegatesConflict("\(names) want the notification shown differently; \(policy) decides"))
            }
            completionHandler(Self.merged(answers, policy))
        }
        for link in asked { link.willPresent?(notification, question.reply(link.name)) }
    }

    public func didReceive(
        _ response: UNNotificationResponse, withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        let payload = Carillon.payload(response.notification.request.content.userInfo)
        let asked = links.filter { $0.didReceive != nil && $0.handles(payload) }
        let question = ChainedCall<Bool>(
            asked.map(\.name), within: CompletionDeadlines.longest, clock: clock, report: report
        ) { _ in completionHandler() }
        for link in asked {
            let reply = question.reply(link.name)
            link.didReceive?(response) { reply(true) }
        }
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
