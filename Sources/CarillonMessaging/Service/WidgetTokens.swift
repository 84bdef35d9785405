import CarillonCore

/// The tokens for widgets and controls that WidgetKit has given to the app or to its widget extension.
package struct WidgetTokens: Sendable, Hashable, Codable {
    /// The token that all widgets share; `nil` while none with a push handler is on the phone.
    package var widgets: DeviceToken?
    /// The tokens of the controls on the phone.
    package private(set) var controls: [WidgetToken] = []

    /// Whether the widget extension has sent tokens to the service, so that the service may have others than it has confirmed to the app.
    package var wereSentByExtension = false

    package init() {}

    /// Records the controls on the phone: those with a token and a kind that the service takes, at most
    /// ``WidgetToken/limit`` less one.
    package mutating func setControls(_ all: [(kind: String, token: DeviceToken?)]) {
        var seen: Set<DeviceToken> = []
        controls = all.compactMap { control in
            guard let token = control.token, (1...WidgetToken.kindByteLimit).contains(control.kind.utf8.count),
                seen.insert(token).inserted
            else { return nil }
            return WidgetToken(control: control.kind, token: token)
        }
        controls = Array(controls.prefix(WidgetToken.limit - 1))
    }

    /// The tokens that the service needs, the widgets' first; `nil` if there are none.
    package var tokens: [WidgetToken]? {
        let all = (widgets.map { [WidgetToken(token: $0)] } ?? []) + controls
        return all.isEmpty ? nil : all
    }
}
