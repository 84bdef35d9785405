/// A token for pushes to Live Activities, as an installation registers it.
///
/// A registration has all tokens of the installation. A token that a later registration leaves out is no longer used.
package struct LiveActivityToken: Sendable, Hashable, Codable {
    /// The greatest number of tokens of an installation.
    package static let limit = 64
    /// The greatest length of the name of a type of attributes, in bytes of UTF-8.
    package static let typeByteLimit = 128

    /// The name of the app's type of attributes.
    package var type: String
    /// The name of the Live Activity that the token updates; `nil` for a token that starts Live Activities of this type.
    package var id: String?
    package var token: DeviceToken

    package init(type: String, id: String? = nil, token: DeviceToken) {
        self.type = type
        self.id = id
        self.token = token
    }
}
