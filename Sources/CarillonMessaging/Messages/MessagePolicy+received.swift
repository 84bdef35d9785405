import CarillonCore

/// The one entrance: an event in, actions out. App and service extension carry them out alike (``MessageInterpreter``).
extension MessagePolicy {
    /// Decides what follows from something that has happened.
    ///
    /// - Parameters:
    ///   - event: what has happened.
    ///   - situation: what else must be known.
    ///   - phoneNow: the phone's clock.
    /// - Returns: what is to be done, in this order; what becomes of an action is another event.
    package mutating func received(
        _ event: MessageEvent, in situation: MessageSituation, at phoneNow: Timestamp
    ) -> [MessageAction] {
        switch event {
        case .pushed(let instructions): return pushed(instructions, situation)
        case .arrived(let message, let composedAt): return arrived(message, composedAt, situation, phoneNow)
        case .alerted(let message, let instructions): return alerted(message, instructions, situation)
        case .aboutToShow(let message, let composedAt):
            return aboutToShow(message, composedAt, situation, phoneNow)
        case .presenting(let message, let composedAt):
            if isRemovable(message, situation) { return [.tell(.present(.nothing))] }
            return [.tell(.present(aboutToPresent(message, composedAt: composedAt, at: phoneNow)))]
        case .notPresented(let identifier): return [.remove([identifier], .plain)]
        case .presented(let identifier, let attempt): wasShown(identifier, attempt: attempt, at: phoneNow)
        case .removalsCame(let removals, let notice):
            guard situation.carriesOutRecalls, !removals.isEmpty else { return [] }
            let leaving = remove(removals, at: phoneNow)
            return [.tell(.removals(removals)), .remove(leaving, .ordered(removals, besides: notice))]
        case .responded(let message, let reaction):
            responded(message, reaction, phoneNow)
            return [.save]
        case .readInApp(let message, let identifiers):
            wasRead(message, at: phoneNow)
            return [.save, .remove(identifiers, .plain)]
        case .reconciling: return [.readList(.toClaim), .readList(.toRemove), .readList(.toHandOver)]
        case .listMayBeOld: return [.readList(.toRemove)]
        case .launched(let message):
            return !isRemovable(message, situation) && mayBeSeen(message, at: phoneNow) ? [.tell(.handOver)] : []
        case .reachingApp(let message, let payload):
            if let message { record(message, at: phoneNow) }
            return reachesApp(message, payload: payload) ? [.save, .tell(.handOver)] : []
        case .reachingAppShown(let identifier, let payload):
            return reachesApp(shown: identifier, payload: payload) ? [.save, .tell(.handOver)] : []
        case .signedOut: signOut(at: phoneNow)
        case .removed, .added, .mayHaveBeenOvertaken, .notAdded, .looked, .listed:
            return receivedAnswer(event, situation, phoneNow)
        }
        return []
    }

    /// Whether a message is only the notice in the place of one that this phone can remove altogether.
    private func isRemovable(_ message: PushMessage, _ situation: MessageSituation) -> Bool {
        message.isNotice && situation.carriesOutRecalls
    }

    // MARK: Pushes

    private func pushed(_ instructions: PushInstructions, _ situation: MessageSituation) -> [MessageAction] {
        var actions: [MessageAction] = []
        if !instructions.removals.isEmpty {
            actions += [.then(.removalsCame(instructions.removals, besides: nil)), .tell(.newData)]
        }
        if let message = instructions.message, !isRemovable(message, situation) {
            actions.append(.then(.arrived(message, composedAt: instructions.composedAt)))
        } else if instructions.dialect == .foreign {
            actions.append(.tell(.handOver))
        }
        if let badge = instructions.badge { actions.append(.setBadge(badge, composedAt: instructions.composedAt)) }
        return actions + [.readList(.toRemove)]
    }

    private mutating func arrived(
        _ message: PushMessage, _ composedAt: Timestamp?, _ situation: MessageSituation, _ phoneNow: Timestamp
    ) -> [MessageAction] {
        let arrival = arrived(message, composedAt: composedAt, signedOut: situation.signedOut, at: phoneNow)
        wasReceived(message.identifier, at: phoneNow)
        switch arrival {
        case .show(let notification):
            // A crash from here on must not lead to a second alert.
            return [.tell(.newData), .save, .add(notification, message)]
        case .showUnlessThere(let notification): return [.look(message, .toAdd(notification)), .tell(.handOver)]
        case .shownBySystem: return [.tell(.newData), .look(message, .toClaim), .tell(.handOver)]
        case .handOver: return [.tell(.handOver)]
        case .repeated: return []
        case .veto(let veto): return [.remove([message.identifier], .vetoed(message, veto))]
        }
    }

    private func alerted(
        _ message: PushMessage?, _ instructions: PushInstructions, _ situation: MessageSituation
    ) -> [MessageAction] {
        let notice = message.flatMap { $0.isNotice && !situation.maySuppress ? $0.messageID : nil }
        let removals = instructions.removals
        let first = removals.isEmpty ? [] : [MessageAction.then(.removalsCame(removals, besides: notice))]
        guard let message else { return first }
        if message.isNotice { return first + [.tell(.isNotice)] }
        return first + [.then(.aboutToShow(message, composedAt: instructions.composedAt))]
    }

    private mutating func aboutToShow(
        _ message: PushMessage, _ composedAt: Timestamp?, _ situation: MessageSituation, _ phoneNow: Timestamp
    ) -> [MessageAction] {
        let treatment = aboutToShow(message, composedAt: composedAt, signedOut: situation.signedOut, at: phoneNow)
        wasReceived(message.identifier, at: phoneNow)
        switch treatment {
        case .withhold(.expired): hasExpired(message.identifier, .blanked, at: phoneNow)
        case .withhold(.recalled):
            // A replaced text stays in the list: the recall is confirmed when the app has removed that.
            if situation.maySuppress { wasVetoed(message, at: phoneNow) }
        case .withhold(.signedOut), .asItIs, .quiet: break
        }
        return [.tell(.treat(treatment))]
    }

    // MARK: The person

    private mutating func responded(
        _ message: PushMessage, _ reaction: MessageReaction, _ phoneNow: Timestamp
    ) {
        record(message, at: phoneNow)
        if reaction.isReading { wasRead(message, at: phoneNow) }
        switch reaction.kind {
        case .open: break
        case .dismiss: claim(.dismissed, of: message.identifier, at: phoneNow)
        case .act(let name, let text):
            claim(
                .acted, of: message.identifier, detail: name, reply: message.keepsReplies ? text : nil, at: phoneNow)
        }
    }

    // MARK: What has become of actions

    private mutating func receivedAnswer(
        _ event: MessageEvent, _ situation: MessageSituation, _ phoneNow: Timestamp
    ) -> [MessageAction] {
        switch event {
        case .removed(let cause, let left): return removed(cause, left, phoneNow)
        // The service extension may have set a tombstone meanwhile.
        case .added(let message): return [.takeOver, .then(.mayHaveBeenOvertaken(message))]
        case .mayHaveBeenOvertaken(let message):
            guard mayBeSeen(message, at: phoneNow) else {
                return [.remove([message.identifier], .overtaken(message))]
            }
            return [.look(message, .toClaim), .tell(.handOver)]
        case .notAdded(let message, let reason):
            couldNotBeShown(message.identifier)
            return [
                .tell(.failed), .tell(.report(.notificationFailed(identifier: message.identifier, reason: reason))),
            ]
        case .looked(let message, let purpose, let found):
            if let found {
                wasShown(message.identifier, attempt: message.attempt, delivered: found.alertedAt, at: phoneNow)
                return []
            }
            if case .toAdd(let notification) = purpose { return [.save, .add(notification, message)] }
            return []
        case .listed(let list, .toClaim): claimShown(list, situation, phoneNow)
        case .listed(let list, .toRemove): return removeOld(list, situation, phoneNow)
        case .listed(let list, .toHandOver): return [.tell(.handOverAll(unreported(list, situation, phoneNow)))]
        default: break
        }
        return []
    }

    private mutating func removed(
        _ cause: MessageAction.Removing, _ left: Set<String>, _ phoneNow: Timestamp
    ) -> [MessageAction] {
        switch cause {
        case .ordered(let removals, let notice):
            let removed = removals.filter {
                left.isDisjoint(with: $0.identifiers) && (notice == nil || $0.messageID != notice)
            }
            wereRemoved(removed, at: phoneNow)
            let reports = left.sorted().map { identifier in
                MessageAction.tell(
                    .report(.notificationFailed(identifier: identifier, reason: "it could not be removed")))
            }
            return left.isEmpty ? [] : reports + [.tell(.failed)]
        case .vetoed(let message, let veto):
            guard left.isEmpty else { return [] }
            switch veto {
            case .expired: hasExpired(message.identifier, .arrivedLate, at: phoneNow)
            case .recalled: wasVetoed(message, at: phoneNow)
            case .signedOut: break
            }
            return []
        case .overtaken: return [.tell(left.isEmpty ? .handOver : .failed)]
        case .old(let recalled, let expired):
            for message in recalled where !left.contains(message.identifier) { wasVetoed(message, at: phoneNow) }
            for identifier in expired where !left.contains(identifier) {
                hasExpired(identifier, .removedFromScreen, at: phoneNow)
            }
            return []
        case .plain: return []
        }
    }

    // MARK: The list

    private mutating func claimShown(
        _ list: [DeliveredNotification], _ situation: MessageSituation, _ phoneNow: Timestamp
    ) {
        for notification in list {
            guard let message = notification.message, !isRemovable(message, situation) else { continue }
            record(message, at: phoneNow)
            wasShown(
                notification.identifier, attempt: message.attempt, delivered: notification.alertedAt, at: phoneNow)
        }
    }

    private func removeOld(
        _ list: [DeliveredNotification], _ situation: MessageSituation, _ phoneNow: Timestamp
    ) -> [MessageAction] {
        let messages = list.map { $0.message ?? PushMessage(identifier: $0.identifier, presentation: .bySystem) }
        let alarm = MessageAction.tell(.nextExpiry(nextExpiry(among: messages, at: phoneNow)))
        var (recalled, expired) = recalledAndExpired(among: messages, at: phoneNow)
        if !situation.carriesOutRecalls { recalled = [] }
        guard !recalled.isEmpty || !expired.isEmpty else { return [alarm] }
        let reasons = recalled.map { tombstones.reason($0.removalName) }
        return [
            .tell(.old(recalled: recalled, reasons: reasons, expired: expired)),
            .remove(recalled.map(\.identifier) + expired, .old(recalled: recalled, expired: expired)), alarm,
        ]
    }

    /// The notifications that the app's own code has not received, which counts as received now.
    private mutating func unreported(
        _ list: [DeliveredNotification], _ situation: MessageSituation, _ phoneNow: Timestamp
    ) -> [DeliveredNotification] {
        list.reversed().filter { notification in
            if let message = notification.message {
                guard !isRemovable(message, situation) else { return false }
                // It may have come after the list was read to claim what is there.
                record(message, at: phoneNow)
            }
            return reachesApp(shown: notification.identifier, payload: notification.userInfo)
        }
    }
}
