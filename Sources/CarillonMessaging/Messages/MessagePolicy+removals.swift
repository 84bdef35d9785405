import CarillonCore

/// Decisions about removals, and about the notifications in Notification Center.
extension MessagePolicy {
    /// Processes the removals of a push or of an answer of the service.
    ///
    /// - Parameters:
    ///   - removals: the removals as received.
    ///   - notice: the id of a message that iOS is about to show, or whose recall notice it is about to show; the removal of this
    ///     message must not be confirmed. The default is none.
    ///   - moment: the phone's time, and the app's settings and sign-out state at that time.
    /// - Returns: a plan that removes the messages and confirms the successful removals.
    mutating func removalsCame(
        _ removals: [PushRemoval], besides notice: MessageID? = nil, _ moment: MessageMoment
    ) -> MessagePlan {
        guard moment.carriesOutRecalls, !removals.isEmpty else { return .nothing }
        let leaving = remove(removals, at: moment.now)
        return MessagePlan(
            .tell(.removals(removals)),
            .remove(leaving, as: "confirm removals", removals, notice) { policy, outcome, moment in
                let left = outcome.left
                policy.claimShown(outcome.found, moment)
                let removed = removals.filter {
                    left.isDisjoint(with: $0.identifiers) && (notice == nil || $0.messageID != notice)
                }
                policy.recordRemoval(of: removed, at: moment.now)
                var plan = MessagePlan.nothing
                for identifier in left.sorted() {
                    let reason = "it could not be removed"
                    plan += .tell(.report(.notificationFailed(identifier: identifier, reason: reason)))
                }
                if !left.isEmpty { plan += .tell(.failed) }
                return plan
            })
    }

    /// Records removals, and returns the identifiers to remove from Notification Center.
    ///
    /// The caller removes the notifications and then calls ``recordRemoval(of:at:)``. A record in ``Tombstones``, a tombstone, stops
    /// later deliveries.
    ///
    /// Push providers other than Carillon, such as Pushwoosh, reuse their ids. So a removal by such a provider leaves a tombstone
    /// only if the removal arrives before the message. The tombstone lasts for ``AppLimits/overtakingTime``.
    ///
    /// - Parameters:
    ///   - removals: the removals of a push or of an answer of the service.
    ///   - phoneNow: the phone's time.
    /// - Returns: the identifiers to remove; messages with a newer revision than the removed one are left out.
    mutating func remove(_ removals: [PushRemoval], at phoneNow: Timestamp) -> [String] {
        let now = time.now(phoneNow)
        var leaving: [String] = []
        for removal in removals {
            if removal.messageID == nil, known[removal.identifier] != nil {
                known.forget(removal.identifier)
            } else {
                let end = removal.messageID == nil ? now + AppLimits.overtakingTime : nil
                tombstones.set(
                    removal.identifier, revision: removal.revision, reason: removal.reason, until: end, at: now)
            }
            leaving += removal.identifiers.filter { (known[$0]?.revision ?? 0) <= removal.revision }
        }
        return leaving
    }

    /// Writes the receipts of completed removals: `recalled` or `expired`.
    ///
    /// - Parameters:
    ///   - removals: the removals of messages that are no longer in Notification Center and will not come back.
    ///   - phoneNow: the phone's time.
    mutating func recordRemoval(of removals: [PushRemoval], at phoneNow: Timestamp) {
        for removal in removals {
            guard let id = removal.messageID else { continue }
            let knownName = removal.identifiers.first { known[$0] != nil }
            let name = knownName ?? removal.identifier
            let message = PushMessage(
                identifier: name, messageID: id, presentation: .nothing, revision: removal.revision)
            known.record(message, at: time.now(phoneNow))
            guard known[name]?.revision == removal.revision else { continue }
            if removal.reason == .expired {
                let detail = knownName.map { _ in ExpiryGuard.Reason.removedFromScreen.rawValue }
                claim(.expired, of: name, detail: detail, at: phoneNow)
            } else {
                let detail = removal.reason == .recall ? nil : removal.reason.rawValue
                claim(.recalled, of: name, detail: detail, at: phoneNow)
            }
        }
    }

    /// Returns the reason for which a message must leave Notification Center; `nil` if it may stay there.
    private func reasonToLeave(
        _ message: PushMessage, _ verdict: MessageVerdict, _ moment: MessageMoment
    ) -> Removal.Reason? {
        let hasExpired = ExpiryGuard.hasExpired(until: end(of: message), at: time.now(moment.now))
        return switch verdict {
        case .formerUser: .signOut
        case .notice where hasExpired, .expired: .expired
        case .notice: moment.carriesOutRecalls ? tombstones.reason(message.removalName) ?? .recall : nil
        case .recalled(let reason): moment.carriesOutRecalls ? reason : nil
        case .read: moment.carriesOutRecalls ? .read : nil
        case .stale, .repeated, .new: nil
        }
    }

    // MARK: The list

    /// Returns the plan for a launch or for entering the foreground.
    ///
    /// The plan writes `shown` receipts for the delivered notifications and removes outdated messages. It then hands the
    /// remaining new messages to the app's own code.
    package func reconciling() -> MessagePlan {
        MessagePlan(
            .readList(as: "claim what is shown") { policy, list, moment in
                policy.claimShown(list, moment)
                return .nothing
            }) + listMayBeOld()
            + MessagePlan(
                .readList(as: "hand over the list") { policy, list, moment in
                    MessagePlan(.tell(.handOverAll(policy.unreported(list, moment))))
                })
    }

    /// Returns a plan that removes delivered messages that have expired, or that arrived after their recall.
    package func listMayBeOld() -> MessagePlan {
        MessagePlan(.readList(as: "remove what is old") { $0.removeOld($1, $2) })
    }

    /// Writes the `shown` receipts of messages that were found in Notification Center.
    ///
    /// A removal also calls this method, because the removed notification may be the only proof that the message was shown:
    /// perhaps the app was not running when iOS showed it.
    mutating func claimShown(_ list: [DeliveredNotification], _ moment: MessageMoment) {
        for notification in list {
            guard let message = notification.message, !message.isNotice else { continue }
            record(message, at: moment.now)
            // Notification Center may still contain an older revision, but the receipt would be about the newer one.
            guard known[notification.identifier]?.revision == message.revision else { continue }
            markShown(
                notification.identifier, attempt: message.attempt, delivered: notification.alertedAt, at: moment.now)
        }
    }

    private func removeOld(_ list: [DeliveredNotification], _ moment: MessageMoment) -> MessagePlan {
        // A notification of the app itself may have the identifier of a recalled message. It must stay.
        let messages = list.compactMap(\.message)
        let alarm = MessagePlan(
            .tell(.nextExpiry(time.firstMoment(after: messages.compactMap(end(of:)), at: moment.now))))
        let old = messages.compactMap { message in
            let verdict = verdict(on: message, moment)
            return reasonToLeave(message, verdict, moment).map {
                Leaving(message: message, verdict: verdict, reason: $0)
            }
        }
        guard !old.isEmpty else { return alarm }
        let removals = old.map { PushRemoval($0.message, reason: $0.reason) }
        return MessagePlan(
            .tell(.removals(removals)),
            .remove(removals.map(\.identifier), as: "removed", old) { policy, outcome, moment in
                policy.claimShown(outcome.found, moment)
                for old in old where !outcome.left.contains(old.message.identifier) {
                    policy.recordWithheld(old.message, old.verdict, .removedFromScreen, at: moment.now)
                }
                return .nothing
            }) + alarm
    }

    /// Stores the delivered notifications that the app's own code has not received, so that it receives them later.
    ///
    /// - Returns: the keys under which ``HandOvers`` has stored the notifications.
    private mutating func unreported(
        _ list: [DeliveredNotification], _ moment: MessageMoment
    ) -> [HandOvers.Key] {
        var keys: [HandOvers.Key] = []
        for notification in list.reversed() {
            if let message = notification.message {
                // The message may have arrived after the first reading of Notification Center.
                switch record(message, moment) {
                case .formerUser, .notice, .recalled, .read, .expired: continue
                case .stale, .repeated, .new: break
                }
            }
            let (name, revision) = (notification.identifier, notification.message?.revision)
            guard markReachedApp(shown: name, revision: revision, payload: notification.userInfo) else { continue }
            keys.append(handOvers.add(HandOvers.Item(notification), at: moment.now))
        }
        unnamed.remember(list.filter { known[$0.identifier] == nil })
        return keys
    }

    /// Writes the receipt of a message that is kept from the person, if the service waits for one.
    ///
    /// - Parameters:
    ///   - message: a recorded message.
    ///   - verdict: the verdict that keeps the message from the person.
    ///   - reason: the detail of the receipt, if the message has expired.
    ///   - phoneNow: the phone's time.
    mutating func recordWithheld(
        _ message: PushMessage, _ verdict: MessageVerdict, _ reason: ExpiryGuard.Reason, at phoneNow: Timestamp
    ) {
        switch verdict {
        case .expired: claim(.expired, of: message.identifier, detail: reason.rawValue, at: phoneNow)
        case .notice, .recalled, .read:
            // There is no reason if the person has read the message on this phone.
            guard let reason = tombstones.reason(message.removalName) else { return }
            recordRemoval(of: [PushRemoval(message, reason: reason)], at: phoneNow)
        case .formerUser, .stale, .repeated, .new: break
        }
    }
}

/// A message in Notification Center that must leave it.
private struct Leaving: Sendable, Hashable {
    var message: PushMessage
    var verdict: MessageVerdict
    var reason: Removal.Reason
}
