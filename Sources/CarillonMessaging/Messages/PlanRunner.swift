import CarillonCore

/// The parts of the app or of its service extension that a ``PlanRunner`` needs.
@MainActor
package protocol PlanHost {
    /// Lets the policy make a decision with the current contents of the store.
    func decide<Value: Sendable>(_ decision: (inout MessagePolicy, MessageMoment) -> Value) -> Value
    /// Saves the store; returns when everything is written.
    func save() async
    /// Merges into the app's store the changes that the service extension has written to files; does nothing in the extension.
    func takeOverFromExtension() async
    /// Returns whether a payload is for Carillon, and not for another SDK of the app.
    func handles(_ payload: [String: JSONValue]) -> Bool
    /// Shows a number on the app's icon; does nothing in the extension.
    func setBadge(_ count: Int, composedAt moment: Timestamp?) async
}

/// A runner that carries out the plans of ``MessagePolicy``, in the app and in its service extension.
@MainActor
package struct PlanRunner {
    private let host: any PlanHost
    private let center: NotificationCenterClient

    package init(host: any PlanHost, center: NotificationCenterClient) {
        self.host = host
        self.center = center
    }

    /// Carries out a plan and all its follow-up plans before it returns.
    ///
    /// - Parameters:
    ///   - plan: a plan of the policy.
    ///   - tell: called with each notice.
    package func run(_ plan: MessagePlan, tell: @MainActor (MessageNotice) -> Void) async {
        for step in plan.steps {
            switch step {
            case .remove(let identifiers, let next): await run(next, await center.remove(identifiers), tell)
            case .add(let notification, let next): await run(next, await refusal(of: notification), tell)
            case .find(let identifier, let next): await run(next, await center.delivered(identifier), tell)
            case .findNew(let identifier, let next): await run(next, await center.newlyDelivered(identifier), tell)
            case .readList(let next): await run(next, own(await center.delivered()), tell)
            case .readPending(let next): await run(next, own(await center.pending()), tell)
            case .decide(let next): await run(next, (), tell)
            case .setBadge(let count, let moment): await host.setBadge(count, composedAt: moment)
            case .save: await host.save()
            case .takeOver: await host.takeOverFromExtension()
            case .tell(let notice): tell(notice)
            }
        }
    }

    private func run<Answer>(
        _ next: PlanDecision<Answer>, _ answer: Answer, _ tell: @MainActor (MessageNotice) -> Void
    ) async {
        await run(host.decide { policy, moment in next(&policy, answer, moment) }, tell: tell)
    }

    private func own(_ list: [DeliveredNotification]) -> [DeliveredNotification] {
        list.filter { host.handles($0.userInfo) }
    }

    private func refusal(of notification: LocalNotification) async -> String? {
        do {
            try await center.add(notification)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
