import CarillonCore
import NIOCore

/// Checks the body of a push (``RequestCheck/payload``).
enum BodyCheck {
    /// Checks the size, and that the payload is a JSON dictionary with content, as ``PushTypeRule`` requires.
    ///
    /// - Parameters:
    ///   - payload: the body, or its first bytes if it is longer than the simulator keeps.
    ///   - byteCount: the number of the body's bytes.
    ///   - rule: the rule of the push type.
    ///   - bundleID: the app's bundle id, or a pass type identifier.
    ///   - isStrict: see ``SimulatorConfiguration/isStrict``.
    /// - Returns: the tolerated violation of a strict rule; `nil` if there is none.
    /// - Throws: ``Rejection`` with PayloadTooLarge or PayloadEmpty.
    static func check(
        _ payload: ByteBuffer, byteCount: Int, rule: PushTypeRule, bundleID: String, isStrict: Bool
    ) throws(Rejection) -> String? {
        let result = payload.withUnsafeReadableBytes { bytes in
            Result { () throws(PushRefusal) in
                try rule.check(
                    payload: bytes, byteCount: byteCount, isForPass: bundleID.hasPrefix(passTypePrefix),
                    isStrict: isStrict)
            }
        }
        switch result {
        case .success(let note): return note
        case .failure(let refusal): throw Rejection(refusal, by: .payload)
        }
    }

    /// The prefix of the identifiers of Wallet passes.
    ///
    /// These identifiers are the topics of pushes to passes.
    private static let passTypePrefix = "pass."
}
