import Foundation

/// The object through which an app reloads its widgets.
/// [WidgetCenter](https://developer.apple.com/documentation/widgetkit/widgetcenter)
///
/// Differs from iOS: the phone has no widgets, so there is nothing to draw.
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private init() {}

    public func reloadAllTimelines() {}
    public func reloadTimelines(ofKind kind: String) {}
}
