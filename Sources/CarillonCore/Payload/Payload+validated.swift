import Foundation

extension Payload {
    /// Encodes the payload and checks what APNs and iOS demand of a push of this type.
    ///
    /// - Parameter pushType: the push's `apns-push-type`.
    /// - Returns: the bytes to send.
    /// - Throws: ``PayloadError`` for an empty `aps`, for a background push that shows something, and for more bytes
    ///   than ``PushType/payloadByteLimit`` (it names the largest key).
    public func validated(for pushType: PushType) throws(PayloadError) -> Data {
        if pushType == .alert || pushType == .background, aps == Aps() {
            throw PayloadError(key: "aps", problem: "is missing or empty: APNs answers PayloadEmpty")
        }
        if pushType == .background {
            try checkBackground()
        }
        let data: Data
        do {
            data = try encoded()
        } catch {
            throw PayloadError(key: "", problem: "the payload has a number that JSON cannot express")
        }
        if data.count > pushType.payloadByteLimit {
            throw tooLarge(data.count, limit: pushType.payloadByteLimit)
        }
        return data
    }

    private func checkBackground() throws(PayloadError) {
        guard aps.contentAvailable else {
            throw PayloadError(key: "aps.content-available", problem: "must be 1 in a background push")
        }
        let visible: [(String, Bool)] = [
            ("alert", aps.alert != nil), ("badge", aps.badge != nil), ("sound", aps.sound != nil),
        ]
        for (key, isPresent) in visible where isPresent {
            throw PayloadError(
                key: "aps.\(key)", problem: "does not belong in a background push: send it with push type alert")
        }
    }

    private func tooLarge(_ byteCount: Int, limit: Int) -> PayloadError {
        let sizes = (json.objectValue ?? [:]).mapValues { (try? $0.encoded().count) ?? 0 }
        let largest = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return PayloadError(
            key: largest?.key ?? "",
            problem: "is too large: the payload has \(byteCount) bytes and APNs takes \(limit); "
                + "this key alone has \(largest?.value ?? 0)")
    }
}
