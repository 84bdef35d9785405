/// The answer to a call that reloads widgets or controls.
package struct WidgetReloadReport: Sendable, Hashable, Codable {
    /// The number of devices in the audience, with and without widgets.
    package var devices: Int
    /// The number of tokens that are asked to reload: a push was queued, or the one that waits does it.
    package var tokens: Int
    /// Whether all devices have been looked at; `false` while the rest follows in steps.
    package var finished: Bool
    /// The reason why the call is for no device.
    package var reason: NobodyReason?
}
