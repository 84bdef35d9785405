/// A kind of push. [PKPushType](https://developer.apple.com/documentation/pushkit/pkpushtype)
public struct PKPushType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// An incoming call.
    public static let voIP = PKPushType(rawValue: "PKPushTypeVoIP")
    /// New data for a watch's complication.
    ///
    /// Differs from iOS: the phone gives no token for this type.
    @available(iOS, introduced: 9, deprecated: 13)
    public static let complication = PKPushType(rawValue: "PKPushTypeComplication")
    /// A change for a File Provider extension.
    ///
    /// Differs from iOS: the phone gives no token for this type.
    @available(iOS 11, *)
    public static let fileProvider = PKPushType(rawValue: "PKPushTypeFileProvider")
}
