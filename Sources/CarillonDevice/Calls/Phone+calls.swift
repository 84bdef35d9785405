import CarillonCore
import Foundation

extension Phone {
    /// The calls that apps have reported to CallKit, and what the person does with them.
    public var calls: Calls { Calls(phone: self) }

    /// The calls on a phone.
    @MainActor public struct Calls {
        let phone: Phone
    }
}

extension Phone.Calls {
    /// The calls that have not ended, in the order in which they began.
    public var current: [PhoneCall] { phone.telephony.current }

    /// The calls that have ended, newest first; at most the newest 500.
    public var ended: [PhoneCall] { phone.telephony.ended }

    /// Answers a call; the app is called, also on a locked phone, and is not brought to the front.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the one that rings.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it does not ring.
    public func answer(_ id: UUID? = nil) async throws {
        try await phone.kernel.doing(.answerCall(id)) { () async throws -> Void in
            await phone.telephony.answer(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Declines a call that rings.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the one that rings.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it does not ring.
    public func decline(_ id: UUID? = nil) async throws {
        try await phone.kernel.doing(.declineCall(id)) { () async throws -> Void in
            await phone.telephony.hangUp(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Hangs up.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the first that does not ring any more.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it rings.
    public func hangUp(_ id: UUID? = nil) async throws {
        try await phone.kernel.doing(.hangUp(id)) { () async throws -> Void in
            await phone.telephony.hangUp(try call(id, "is under way") { $0.state != .ringing })
        }
    }

    private func call(_ id: UUID?, _ state: String, _ fits: (PhoneCall) -> Bool) throws(PhoneError) -> PhoneCall {
        guard let call = current.first(where: { fits($0) && (id == nil || $0.id == id) }) else {
            let all = current.map { "\($0.id) (\($0.state))" }.joined(separator: ", ")
            let name = id.map { "Call \($0)" } ?? "No call"
            throw PhoneError(
                .noCall,
                "\(name) \(id == nil ? state : "is none that \(state)"). On the phone: \(all.isEmpty ? "none" : all).")
        }
        return call
    }
}
