/// The object through which an app reads and reloads its controls in Control Center, on the lock screen and on the Action button.
/// [ControlCenter](https://developer.apple.com/documentation/widgetkit/controlcenter)
@available(iOS 18, *)
public final class ControlCenter: Sendable {
    public static let shared = ControlCenter()

    private init() {}

    /// Reads the controls that the person has added.
    public func currentControls() async throws -> [ControlInfo] {
        guard let host = currentHost() else { return [] }
        return await withUnsafeContinuation { continuation in
            host.controls { continuation.resume(returning: $0) }
        }
    }

    public func reloadControls(ofKind kind: String) { currentHost()?.reloadControls(ofKind: kind) }
    public func reloadAllControls() { currentHost()?.reloadControls(ofKind: nil) }
}

/// A control that the person has added to the phone.
/// [ControlInfo](https://developer.apple.com/documentation/widgetkit/controlinfo)
///
/// Differs from iOS: there is no `configurationIntent(of:)`, because there is no AppIntents.
@available(iOS 18, *)
public struct ControlInfo: Identifiable, Hashable, Sendable {
    public let id: String
    /// The name that the app gave the control's configuration.
    public let kind: String
    /// The control's own token; `nil` until there is one, and for a control without a push handler.
    public var pushInfo: ControlPushInfo?

    @_spi(Simulation) public init(id: String, kind: String, token: Data?) {
        self.id = id
        self.kind = kind
        pushInfo = token.map { ControlPushInfo(token: $0) }
    }

    public static func == (one: ControlInfo, other: ControlInfo) -> Bool {
        one.id == other.id && one.kind == other.kind && one.pushInfo?.token == other.pushInfo?.token
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(kind)
        hasher.combine(pushInfo?.token)
    }
}

/// The token for pushes to one control.
/// [ControlPushInfo](https://developer.apple.com/documentation/widgetkit/controlpushinfo)
@available(iOS 18, *)
public struct ControlPushInfo: Sendable {
    public let token: Data

    @_spi(Simulation) public init(token: Data) { self.token = token }
}

/// The part of a widget extension that receives the tokens for pushes to the app's controls.
/// [ControlPushHandler](https://developer.apple.com/documentation/widgetkit/controlpushhandler)
///
/// Differs from iOS: the phone learns the handler from `AppBundle.controls`, because there is no `ControlWidgetConfiguration` with
/// `pushHandler(_:)`.
@available(iOS 18, *)
public protocol ControlPushHandler {
    init()

    /// Receives all controls with this push handler whenever a token has changed, or the person adds or removes a control.
    func pushTokensDidChange(controls: [ControlInfo])
}
