import CarillonCore
import Foundation

extension Phone {
    /// The phone calls that apps have reported to CallKit, and the person's actions on them.
    public var calls: Calls { Calls(phone: self) }

    /// The phone calls on a simulated phone, with the person's actions on them.
    @MainActor public struct Calls {
        let phone: Phone
    }
}

extension Phone.Calls {
    /// The calls that have not ended, in the order in which they began.
    public var current: [PhoneCall] { phone.telephony.current }

    /// The ended calls, newest first; at most 500.
    public var ended: [PhoneCall] { phone.telephony.ended }

    /// Answers a call.
    ///
    /// The phone passes the answer to the app, even if the phone is locked, but does not bring the app to the front. Another
    /// active call is put on hold, or ended if its app does not let it be held.
    ///
    /// - Parameter id: the call's ID; `nil`, the default, means the first call that rings.
    /// - Throws: ``PhoneError`` (`noCall`) if there is no such call, or if the call does not ring.
    public func answer(_ id: UUID? = nil) async throws {
        try await phone.kernel.doing(.answerCall(id)) { () async throws -> Void in
            await phone.telephony.answer(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Declines a ringing call.
    ///
    /// - Parameter id: the call's ID; `nil`, the default, means the first call that rings.
    /// - Throws: ``PhoneError`` (`noCall`) if there is no such call, or if the call does not ring.
    public func decline(_ id: UUID? = nil) async throws {
        try await phone.kernel.doing(.declineCall(id)) { () async throws -> Void in
            await phone.telephony.hangUp(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Hangs up a call that is active or being connected.
    ///
    /// - Parameter id: the call's ID; `nil`, the default, means the first call that does not ring.
    /// - Throws: ``PhoneError`` (`noCall`) if there is no such call, or if the call still rings.
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
