/// The part of a widget extension that receives the token for pushes to the app's widgets.
/// [WidgetPushHandler](https://developer.apple.com/documentation/widgetkit/widgetpushhandler)
///
/// Differs from iOS: the phone learns the handler from `AppBundle.widgets`, because there is no `WidgetConfiguration` with
/// `pushHandler(_:)`.
@available(iOS 26, *)
public protocol WidgetPushHandler {
    init()

    /// Receives the first token and every later one, and the widgets with a push handler whenever the person adds or removes one.
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

/// The token for pushes to an app's widgets; all widgets of an app share it.
/// [WidgetPushInfo](https://developer.apple.com/documentation/widgetkit/widgetpushinfo)
@available(iOS 26, *)
public struct WidgetPushInfo: Sendable {
    public let token: Data

    @_spi(Simulation) public init(token: Data) { self.token = token }
}
