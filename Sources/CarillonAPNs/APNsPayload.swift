import CarillonCore
import Foundation
import NIOCore

/// The JSON of a push, encoded once and shared by as many notifications as there are devices.
///
/// Copying a value copies no bytes.
public struct APNsPayload: Sendable, Hashable {
    let buffer: ByteBuffer

    /// Takes JSON as it is.
    ///
    /// - Parameter json: the bytes as they go over the wire; only their number is checked, when they are sent.
    public init(_ json: Data) { buffer = ByteBuffer(bytes: json) }

    /// Takes JSON as it is.
    ///
    /// - Parameter json: the bytes as they go over the wire; only their number is checked, when they are sent.
    public init(_ json: ByteBuffer) { buffer = json }

    /// Encodes `payload` after checking the demands of APNs and iOS on a push of this type.
    ///
    /// - Parameters:
    ///   - payload: the payload to encode.
    ///   - pushType: the push's `apns-push-type`.
    /// - Throws: `PayloadError`, which names the key at fault.
    public init(_ payload: Payload, for pushType: PushType) throws(PayloadError) {
        self.init(try payload.validated(for: pushType))
    }

    /// The size in bytes, as APNs counts it against its limit.
    public var byteCount: Int { buffer.readableBytes }
}
