import CarillonCore
import CarillonMessaging
import Foundation
import UserNotifications

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// The Carillon push SDK in a widget extension, whose push handlers hear of tokens while the app does not run.
///
/// Give app and widget extension the same App Group, and pass on what WidgetKit says:
///
/// ```swift
/// let carillon = CarillonWidgetExtension(
///     appGroup: "group.com.example.app", service: URL(string: "https://push.example.com"))
///
/// struct ScorePushHandler: WidgetPushHandler {
///     func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo]) {
///         carillon.pushTokenDidChange(pushInfo.token, widgets: widgets.count)
///     }
/// }
/// ```
///
/// The app must have run once, and have called `carillon.widgets.register()`. The app sends again what could not be sent.
public struct CarillonWidgetExtension: Sendable {
    private let appGroup: String
    private let service: URL?
    private let report: @Sendable (CarillonEvent) -> Void
    /// The closure that makes a transport to replace `URLSession` in a test; `nil` in an extension.
    package var makeTransport: (@Sendable (AppPlatform) -> any ServiceTransport)?

    /// Makes the SDK of a widget extension.
    ///
    /// - Parameters:
    ///   - appGroup: the App Group that the app also passes to `Carillon`.
    ///   - service: the address of the Carillon service. With `nil`, the default, the app sends the tokens at its next launch.
    ///   - report: receives events for the developer, on any thread; the default logs them.
    public init(
        appGroup: String, service: URL? = nil,
        report: @escaping @Sendable (CarillonEvent) -> Void = { CarillonEvent.log($0) }
    ) {
        self.appGroup = appGroup
        self.service = service
        self.report = report
    }

    /// Passes on what a `WidgetPushHandler` hears.
    ///
    /// - Parameters:
    ///   - token: `WidgetPushInfo.token`.
    ///   - count: the number of this handler's widgets. With 0, nothing changes: the widgets of other handlers have the same
    ///     token, and the app notices at its next launch that none is left.
    public func pushTokenDidChange(_ token: Data, widgets count: Int) {
        guard count > 0 else { return }
        change { $0.widgets = DeviceToken(token) }
    }

    /// Passes on what a `ControlPushHandler` hears.
    ///
    /// - Parameter controls: the kind of each control, and the token of its `pushInfo`, if there is one. They replace the controls
    ///   that were passed before, so an extension with several handlers passes `ControlCenter.shared.currentControls()`.
    public func pushTokensDidChange(controls: [(kind: String, token: Data?)]) {
        change { $0.setControls(controls.map { ($0.kind, $0.token.flatMap { DeviceToken($0) }) }) }
    }

    private func change(_ edit: (inout WidgetTokens) -> Void) {
        let platform = AppPlatform.current(appGroup: appGroup)
        if let group = platform.unusableAppGroup { report(.appGroupIsUnusable(group)) }
        let process = ExtensionProcess.current(on: platform)
        let store = ExtensionStore(
            files: platform.storeFiles, process: process, now: platform.clock.now,
            randomness: platform.randomness, report: report)
        var tokens = store.contents.widgets
        edit(&tokens)
        guard tokens != store.contents.widgets else { return }
        // Without a confirmed registration, the app sends the tokens with its first one.
        let isRegistered = service != nil && store.identity != nil && store.contents.registration.confirmed != nil
        if isRegistered { tokens.wereSentByExtension = true }
        store.update { [tokens] in $0.widgets = tokens }
        guard isRegistered, let service, let identity = store.identity else { return }
        let client = ServiceClient(
            url: service,
            transport: makeTransport?(platform) ?? URLSessionTransport(platform: platform, session: .ephemeral))
        let next = store.contents.registration.nextSequence(at: platform.clock.now)
        process.widgetRequests.add(next) { [tokens, report] sequence in
            do {
                _ = try await client.change(DeviceChange(widgets: tokens.tokens ?? []), sequence, as: identity)
            } catch {
                report(.serviceFailed(request: "PATCH devices", reason: "\(error)"))
            }
        }
    }
}
