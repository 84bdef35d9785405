/// A token for pushes to widgets or to a control, as an installation registers it.
///
/// A registration has all tokens of the installation. A token that a later registration leaves out is no longer used.
package struct WidgetToken: Sendable, Hashable, Codable {
    /// The greatest number of tokens of an installation: one for all widgets, and those of its controls.
    package static let limit = 32
    /// The greatest length of a control's kind, in bytes of UTF-8.
    package static let kindByteLimit = 128

    /// The kind of the control that the token reloads; `nil` for the token that all widgets of the app share.
    package var control: String?
    package var token: DeviceToken

    package init(control: String? = nil, token: DeviceToken) {
        self.control = control
        self.token = token
    }
}
