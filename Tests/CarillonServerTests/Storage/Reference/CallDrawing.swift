import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// Draws what stores are asked, by a seed: a few messages, users and phones, so that calls concern each other.
protocol CallDrawing {
    var chance: SeededGenerator { get set }
    /// The moment of the next call.
    var now: Timestamp { get }
}

extension CallDrawing {
    static var ids: [String] { ["m1", "m2", "m3", "m4"] }
    static var users: [String] { ["ada", "bob", "zoë"] }
    /// Three of one app, two of the other; the order of their ids is not that in which they come.
    static var phones: [(id: String, app: AppReference)] {
        [("p3", chime), ("p1", chime), ("p2", chime), ("f2", ferry), ("f1", ferry)]
    }

    mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int(chance.next() % UInt64(choices.count))]
    }

    mutating func isDrawn(oneIn bound: UInt64) -> Bool { chance.next() % bound == 0 }

    mutating func drawnDevice() -> NewDevice {
        let phone = pick(Self.phones)
        var new = device(
            phone.id, user: isDrawn(oneIn: 4) ? nil : pick(Self.users),
            token: Data("\(phone.id)\(isDrawn(oneIn: 6) ? "b" : "a")".utf8).hexadecimal, app: phone.app,
            environment: isDrawn(oneIn: 8) ? .production : .sandbox)
        new.nonce = "nonce"
        return new
    }

    mutating func drawnAudience() -> Audience {
        switch chance.next() % 5 {
        case 0, 1: .users(Self.users.filter { _ in isDrawn(oneIn: 2) } + [pick(Self.users)])
        case 2, 3: .devices(Set([pick(Self.phones).id, pick(Self.phones).id]).sorted())
        default: .everyone
        }
    }

    mutating func drawnMessage(to audience: Audience, of app: AppReference) throws -> NewMessage {
        let text = "text \(chance.next() % 4)"
        var new = try message(
            pick(Self.ids), to: audience, mode: pick([.visible, .visible, .silent, .assured]),
            until: isDrawn(oneIn: 3) ? now + pick([.seconds(30), .seconds(600), .seconds(100_000)]) : nil, text: text,
            counts: !isDrawn(oneIn: 4), key: isDrawn(oneIn: 6) ? "request-\(chance.next() % 3)" : nil, app: app,
            replaces: !isDrawn(oneIn: 3))
        if isDrawn(oneIn: 5) { new.dialect = .pushwoosh }
        (new.removesExpired, new.keepsReplies) = (isDrawn(oneIn: 2), isDrawn(oneIn: 2))
        if new.until == nil, new.mode != .assured, isDrawn(oneIn: 3) {
            // The API takes neither an unread count nor a removal at the end with "now".
            (new.isNowOrNever, new.countsAsUnread, new.badgeIsUnreadCount) = (true, false, false)
            new.removesExpired = false
        }
        new.fingerprint = Data("\(text) \(audience) \(new.mode)".utf8)
        return new
    }

    /// Draws the outcome of a push.
    ///
    /// - Parameter deletes: whether it may be that APNs does not know the token.
    mutating func drawnSettlement(of claim: ClaimedDelivery, deletes: Bool) -> SentPush {
        let outcome = drawnOutcome(deletes)
        return claim.settled(outcome, at: now, badge: pick([.none, .none, .unread(Int(chance.next() % 3)), .sender]))
    }

    private mutating func drawnOutcome(_ deletes: Bool) -> SendOutcome {
        switch chance.next() % 16 {
        case 0: .unanswered("no answer")
        case 1: .notSent("no connection")
        case 2: .notBegun
        case 3: .noCredential("none")
        case 4: .unsendable("too large")
        case 5: rejected("PayloadTooLarge", 413)
        case 6: rejected("TooManyRequests", 429)
        case 7:
            isDrawn(oneIn: 2)
                ? rejected("Unregistered", 410, since: now - pick([.seconds(1), .seconds(100_000)]))
                : rejected("InvalidProviderToken", 403)
        case 8: isDrawn(oneIn: 3) && deletes ? rejected("BadDeviceToken", 400) : .unanswered("no answer")
        default: .accepted(apnsID: PushIdentifier.uuid(name: "accepted", namespace: []))
        }
    }

    mutating func drawnReceipts() -> [Receipt] {
        (0...chance.next() % 3).map { _ in
            let (id, event) = (pick(Self.ids), pick(ReceiptEvent.allCases))
            var receipt = receipt(
                event, id, id: "r\(chance.next() % 300)", at: now + pick([.seconds(-3600), .zero, .seconds(60)]))
            receipt.revision = isDrawn(oneIn: 4) ? nil : Int(chance.next() % 3) + 1
            receipt.detail = isDrawn(oneIn: 6) ? Receipt.shownAgain : nil
            receipt.reply = event == .acted ? "written" : nil
            return receipt
        }
    }

    mutating func drawnSelection() -> ReadSelection {
        let ids = [MessageID(test: pick(Self.ids)), MessageID(test: pick(Self.ids))]
        return switch chance.next() % 3 {
        case 0: .messages(Array(Set(ids)))
        case 1: .revisions([MessageRevision(ids[0], revision: Int(chance.next() % 3) + 1)])
        default: .upTo(now + pick([.zero, .seconds(-60)]))
        }
    }
}
