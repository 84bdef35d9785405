import CarillonCore
import Foundation
import NIOCore

/// The JSON of a push, encoded once and shared by the notifications to all devices.
///
/// Copying a payload does not copy its bytes.
public struct APNsPayload: Sendable, Hashable {
    let buffer: ByteBuffer

    /// Makes a payload from encoded JSON.
    ///
    /// - Parameter json: the bytes to send. The client does not parse them; it only checks their number when it sends.
    public init(_ json: Data) { buffer = ByteBuffer(bytes: json) }

    /// Makes a payload from encoded JSON.
    ///
    /// - Parameter json: the bytes to send. The client does not parse them; it only checks their number when it sends.
    public init(_ json: ByteBuffer) { buffer = json }

    /// Checks a payload against the rules of APNs and iOS for a push type, and encodes it.
    ///
    /// - Parameters:
    ///   - payload: the payload to encode.
    ///   - pushType: the push's `apns-push-type`.
    /// - Throws: `PayloadError`, which names the key at fault.
    public init(_ payload: Payload, for pushType: PushType) throws(PayloadError) {
        self.init(try payload.validated(for: pushType))
    }

    /// The size in bytes, as APNs compares it with its limit.
    public var byteCount: Int { buffer.readableBytes }
}
