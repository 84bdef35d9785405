import CarillonCore
import CarillonMessaging
import CarillonProve

/// A fact that the SDK has learnt, with which a promise begins.
enum Lesson: Sendable, Hashable {
    /// The service has removed versions up to this one of a message.
    case removed(MessageRevision, isRead: Bool)
    /// The person has signed out.
    case signedOut(Timestamp)
    /// This version of a message has arrived.
    case arrived(MessageRevision)
    /// The person was alerted to this version of a message.
    case alerted(MessageRevision)
    /// The app's handler has returned for this version of a message.
    case given(MessageRevision)
    /// A silent push's work is complete: its message must be shown.
    case mustShow(MessageRevision)
}

/// The facts that the SDK has learnt, and the places where it keeps them.
struct Knowledge: Sendable, Hashable {
    enum Place: Sendable, Hashable { case disk, app, ext }

    private(set) var places: [Lesson: Set<Place>] = [:]
    /// The ids of the receipts that were saved.
    var savedReceipts: Set<String> = []
    /// The number of calls of the app's handler with each version of a message.
    var callCounts: [MessageRevision: Int] = [:]
    /// The versions that the person has tapped or read, so that nothing must show them any more.
    var seen: Set<MessageRevision> = []

    /// Learns a fact: it is safe on the disk, or only in the memory of the process.
    mutating func learn(_ lesson: Lesson, in process: Place, isSaved: Bool) {
        places[lesson, default: []].insert(isSaved ? .disk : process)
    }

    /// Records that a process has saved all that it knows.
    mutating func saved(_ process: Place) {
        for (lesson, where_) in places where where_.contains(process) { places[lesson] = [.disk] }
    }

    /// Records that a process has ended.
    mutating func ended(_ process: Place) {
        for lesson in places.keys { places[lesson]?.remove(process) }
        places = places.filter { !$0.value.isEmpty }
    }

    /// Returns whether a process knows a fact like this.
    func contains(in process: Place, where isOne: (Lesson) -> Bool) -> Bool {
        places.contains { isOne($0.key) && ($0.value.contains(.disk) || $0.value.contains(process)) }
    }

    func contains(_ lesson: Lesson, in process: Place) -> Bool { contains(in: process) { $0 == lesson } }
}

/// The promises of the SDK's documentation, each with its sentence.
package enum Promise: String, CaseIterable, Sendable {
    case recalledIsNotShown = "recalled-is-not-shown"
    case recalledIsNotGiven = "recalled-is-not-given"
    case recalledOpensNothing = "recalled-opens-nothing"
    case expiredIsNotShown = "expired-is-not-shown"
    case expiredIsNotGiven = "expired-is-not-given"
    case expiredOpensNothing = "expired-opens-nothing"
    case formerUsersIsNotShown = "former-users-is-not-shown"
    case formerUsersIsNotGiven = "former-users-is-not-given"
    case formerUsersOpensNothing = "former-users-opens-nothing"
    case withheldHasNoPayload = "withheld-has-no-payload"
    case readIsNotShown = "read-is-not-shown"
    case olderDoesNotAlert = "older-does-not-alert"
    case alertsOnce = "alerts-once"
    case givenOnce = "given-once"
    case readIsToldOnce = "read-is-told-once"
    case receiptsAreSent = "receipts-are-sent"
    case retriesPause = "retries-pause"
    case listIsCleanAtTheEnd = "list-is-clean-at-the-end"
    case everythingIsGiven = "everything-is-given"
    case silentIsShown = "silent-is-shown"
    case removalIsConfirmed = "removal-is-confirmed"

    /// The promise in a sentence.
    package var sentence: String {
        switch self {
        case .recalledIsNotShown: "After the phone has learnt of a recall, the SDK does not show the message."
        case .recalledIsNotGiven: "After the phone has learnt of a recall, `onMessage` does not get the message."
        case .recalledOpensNothing: "A tap on a recalled message gives the app nothing."
        case .expiredIsNotShown: "The SDK shows no message after its last moment."
        case .expiredIsNotGiven: "`onMessage` gets no message after its last moment."
        case .expiredOpensNothing: "A tap on an expired message gives the app nothing."
        case .formerUsersIsNotShown: "After the sign-out, the SDK shows no message of the former user."
        case .formerUsersIsNotGiven: "After the sign-out, `onMessage` gets no message of the former user."
        case .formerUsersOpensNothing: "After the sign-out, a tap on a former user's message gives the app nothing."
        case .withheldHasNoPayload: "A notification in the place of a withheld message has none of its payload."
        case .readIsNotShown: "A message that was read on another device is not shown."
        case .olderDoesNotAlert: "Once a newer version of a message has arrived, an older one does not alert."
        case .alertsOnce: "One version of a message alerts at most once."
        case .givenOnce:
            "`onMessage` gets a version of a message again only if the app ended before its handler was done."
        case .readIsToldOnce: "The service is told once that a message was read."
        case .receiptsAreSent: "A receipt that was saved reaches the service."
        case .retriesPause: "The SDK waits before it tries again."
        case .listIsCleanAtTheEnd: "When the app is open and online, no message is listed that may not be seen."
        case .everythingIsGiven: "When the app is open, `onMessage` has got every listed message."
        case .silentIsShown: "A silent message that has arrived is listed, unless something speaks against it."
        case .removalIsConfirmed: "The service learns that a removal was carried out."
        }
    }
}

/// A reason for which the person may not see a message.
enum Objection: Sendable {
    case recalled, expired, formerUser, read

    var text: String {
        switch self {
        case .recalled: "the phone had learnt that it was recalled"
        case .expired: "its last moment had passed"
        case .formerUser: "its user had signed out"
        case .read: "the phone had learnt that it was read elsewhere"
        }
    }

    var whenShown: Promise {
        switch self {
        case .recalled: .recalledIsNotShown
        case .expired: .expiredIsNotShown
        case .formerUser: .formerUsersIsNotShown
        case .read: .readIsNotShown
        }
    }

    /// `nil` for a message that was read: it may be given and opened.
    var whenGiven: Promise? {
        switch self {
        case .recalled: .recalledIsNotGiven
        case .expired: .expiredIsNotGiven
        case .formerUser: .formerUsersIsNotGiven
        case .read: nil
        }
    }

    var whenOpened: Promise? {
        switch self {
        case .recalled: .recalledOpensNothing
        case .expired: .expiredOpensNothing
        case .formerUser: .formerUsersOpensNothing
        case .read: nil
        }
    }
}

extension SDKWorld {
    /// Returns the reason for which a process must not let the person see a message; `nil` if there is none.
    func objection(to push: Int, in process: Knowledge.Place) -> Objection? {
        let (key, composed) = (revision(of: push), composedAt[push])
        if knowledge.contains(
            in: process,
            where: {
                if case .signedOut(let moment) = $0 { return composed.map { $0 < moment } ?? false }
                return false
            })
        {
            return .formerUser
        }
        for isRead in [false, true] {
            let isRemoved = knowledge.contains(in: process) {
                guard case .removed(let removed, isRead) = $0 else { return false }
                return removed.message == key.message && removed.revision >= key.revision
            }
            if isRemoved { return isRead ? .read : .recalled }
        }
        return until(push).map { now > $0 } == true ? .expired : nil
    }

    mutating func broke(_ promise: Promise, _ reason: String) {
        run.broken.append(BrokenPromise(promise.rawValue, reason))
    }

    /// Checks the promises about a notification that the SDK lets iOS show.
    ///
    /// App and extension may decide at the same moment, and then both alert. So a second alert breaks the promise only if the
    /// first one had happened when the SDK decided about the second.
    mutating func checkShown(
        _ push: Int, isLoud: Bool, in process: Knowledge.Place, alertedBefore: Set<MessageRevision>
    ) {
        let key = revision(of: push)
        if let objection = objection(to: push, in: process) {
            broke(objection.whenShown, "\(title(push)) was shown, although \(objection.text).")
        }
        guard isLoud else { return }
        let isOlder = knowledge.contains(in: process) {
            guard case .arrived(let other) = $0 else { return false }
            return other.message == key.message && other.revision > key.revision
        }
        if isOlder { broke(.olderDoesNotAlert, "\(title(push)) alerted, although a newer version had arrived.") }
        if alertedBefore.contains(key) {
            broke(.alertsOnce, "\(title(push)) alerted the person a second time.")
        }
    }

    /// Notes which versions had alerted the person when some work decides.
    mutating func noteAlerted(_ id: Int, in process: Knowledge.Place) {
        let before = plot.pushes.indices.map { revision(of: $0) }.filter {
            knowledge.contains(.alerted($0), in: process)
        }
        change(id) { $0.alertedBefore = Set(before) }
    }

    /// Checks the promises about a message that the app's handler is about to get.
    mutating func checkGiven(_ push: Int) {
        let key = revision(of: push)
        if let objection = objection(to: push, in: .app), let promise = objection.whenGiven {
            broke(promise, "The app got \(title(push)), although \(objection.text).")
        }
        if knowledge.contains(.given(key), in: .app) {
            broke(.givenOnce, "The app got \(title(push)) again, although its handler had been done with it.")
        }
    }

    /// Checks the promises about the end, when the app is open, online and at rest.
    mutating func checkEnd() {
        for listed in list where !listed.isWithheld {
            guard let push = listed.push ?? pushNumber(of: listed.notification) else { continue }
            if let objection = objection(to: push, in: .app) {
                broke(.listIsCleanAtTheEnd, "\(title(push)) is still listed, although \(objection.text).")
            } else if !plot.pushes[push].isNotice, knowledge.callCounts[revision(of: push)] == nil,
                !knowledge.seen.contains(revision(of: push)), !isOutdated(push)
            {
                broke(.everythingIsGiven, "The app never got \(title(push)), which is listed.")
            }
        }
        for (number, push) in plot.pushes.enumerated() where push.kind == .silent {
            let key = revision(of: number)
            guard knowledge.contains(.mustShow(key), in: .app), objection(to: number, in: .app) == nil,
                !isOutdated(number), !knowledge.seen.contains(key),
                !list.contains(where: { $0.notification.identifier == key.message.rawValue })
            else { continue }
            broke(.silentIsShown, "\(title(number)) has arrived, and is not listed.")
        }
        for id in knowledge.savedReceipts.sorted() where service.receipts[id] == nil {
            broke(.receiptsAreSent, "A receipt was saved and never reached the service.")
        }
        let isRemovalLearnt = service.outstanding.contains { removal in
            knowledge.contains(
                .removed(MessageRevision(removal.message, revision: removal.revision), isRead: removal.reason == .read),
                in: .app)
        }
        if isRemovalLearnt, app?.contents.registration.isSignOutPending == false {
            broke(.removalIsConfirmed, "The service still waits to hear that the removal was carried out.")
        }
    }

    private func isOutdated(_ push: Int) -> Bool {
        let key = revision(of: push)
        return knowledge.contains(in: .app) {
            guard case .arrived(let other) = $0 else { return false }
            return other.message == key.message && other.revision > key.revision
        }
    }
}
