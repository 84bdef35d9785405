import CarillonCore
import Foundation

/// The calls that apps have reported to CallKit, and the person's actions on them.
extension Phone {
    /// The calls that have not ended, in the order in which they began.
    public var calls: [PhoneCall] { telephony.current }

    /// The calls that have ended, newest first; at most the newest 500.
    public var endedCalls: [PhoneCall] { telephony.ended }

    /// Answers a call; the app is called, also on a locked phone, and is not brought to the front.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the one that rings.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it does not ring.
    public func answerCall(_ id: UUID? = nil) async throws {
        try await kernel.doing(.answerCall(id)) { () async throws -> Void in
            await telephony.answer(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Declines a call that rings.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the one that rings.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it does not ring.
    public func declineCall(_ id: UUID? = nil) async throws {
        try await kernel.doing(.declineCall(id)) { () async throws -> Void in
            await telephony.hangUp(try call(id, "rings") { $0.state == .ringing })
        }
    }

    /// Hangs up.
    ///
    /// - Parameter id: the call's; `nil`, the default, is the first that does not ring any more.
    /// - Throws: ``PhoneError`` (`noCall`): there is none, or it rings.
    public func hangUp(_ id: UUID? = nil) async throws {
        try await kernel.doing(.hangUp(id)) { () async throws -> Void in
            await telephony.hangUp(try call(id, "is under way") { $0.state != .ringing })
        }
    }

    private func call(_ id: UUID?, _ state: String, _ fits: (PhoneCall) -> Bool) throws(PhoneError) -> PhoneCall {
        guard let call = calls.first(where: { fits($0) && (id == nil || $0.id == id) }) else {
            let all = calls.map { "\($0.id) (\($0.state))" }.joined(separator: ", ")
            let name = id.map { "Call \($0)" } ?? "No call"
            throw PhoneError(
                .noCall,
                "\(name) \(id == nil ? state : "is none that \(state)"). On the phone: \(all.isEmpty ? "none" : all).")
        }
        return call
    }

    /// Returns the token for VoIP pushes that the app was given last; `nil` before that.
    public func voIPToken(of bundleID: String) -> Data? { apps[bundleID].flatMap(connection.callToken) }
}
