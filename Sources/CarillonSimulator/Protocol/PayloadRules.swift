import CarillonCore
import NIOCore

/// Makes the check `payload`.
enum PayloadRules {
    /// Checks the size, and that the payload is a JSON dictionary with content, as ``PushTypeRule`` demands it.
    ///
    /// - Parameters:
    ///   - payload: the body, or the part of it that was kept.
    ///   - byteCount: the number of received bytes.
    ///   - rule: the rule of the push type.
    ///   - bundleID: the app's bundle id, or a pass type identifier.
    ///   - isStrict: see ``SimulatorConfiguration/isStrict``.
    /// - Returns: the tolerated breach of a strict rule; `nil` for none.
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

    /// The prefix of the identifiers of Wallet passes, which are the topics of their pushes.
    private static let passTypePrefix = "pass."
}
