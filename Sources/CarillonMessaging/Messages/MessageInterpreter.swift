import CarillonCore

/// Carries out what ``MessagePolicy`` decides, in the app and in its service extension.
@MainActor
package struct MessageInterpreter {
    /// Where the policy is kept, and what only the app or only the extension can do.
    private let host: any MessageHost
    private let center: NotificationCenterClient

    package init(host: any MessageHost, center: NotificationCenterClient) {
        self.host = host
        self.center = center
    }

    /// Gives the policy an event, and carries out everything that follows from it before it returns.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - tell: called with each notice.
    package func carryOut(_ event: MessageEvent, tell: @MainActor (MessageNotice) -> Void) async {
        await finish(begin(event, tell: tell), tell: tell)
    }

    /// Gives the policy an event, and does at once what does not wait for iOS.
    ///
    /// - Parameters:
    ///   - event: one to which iOS wants an answer, or after which it may not let the app run for long.
    ///   - tell: called with each notice that comes before anything has to wait.
    /// - Returns: the rest, for ``finish(_:tell:)``.
    package func begin(_ event: MessageEvent, tell: @MainActor (MessageNotice) -> Void) -> ArraySlice<MessageAction> {
        var rest = host.received(event)[...]
        while let action = rest.first {
            switch action {
            case .save: host.save()
            case .tell(let notice): tell(notice)
            default: return rest
            }
            rest = rest.dropFirst()
        }
        return rest
    }

    /// Carries out actions, and everything that follows from them.
    ///
    /// - Parameters:
    ///   - actions: from ``begin(_:tell:)``.
    ///   - tell: called with each notice.
    package func finish(
        _ actions: ArraySlice<MessageAction>, tell: @MainActor (MessageNotice) -> Void
    ) async {
        for action in actions {
            if let answer = await perform(action, tell: tell) { await carryOut(answer, tell: tell) }
        }
    }

    /// - Returns: what has become of the action, if the policy wants to know.
    private func perform(_ action: MessageAction, tell: @MainActor (MessageNotice) -> Void) async -> MessageEvent? {
        switch action {
        case .then(let event): return event
        case .remove(let identifiers, let cause): return .removed(cause, left: await center.remove(identifiers))
        case .add(let notification, let message):
            do {
                try await center.add(notification)
                return .added(message)
            } catch {
                return .notAdded(message, reason: "\(error)")
            }
        case .look(let message, let purpose):
            return .looked(message, purpose, found: await center.delivered(message.identifier))
        case .readList(let purpose): return .listed(await center.delivered(), purpose)
        case .setBadge(let count, let moment): await host.setBadge(count, composedAt: moment)
        case .save: host.save()
        case .takeOver: host.takeOverFromExtension()
        case .tell(let notice): tell(notice)
        }
        return nil
    }
}
