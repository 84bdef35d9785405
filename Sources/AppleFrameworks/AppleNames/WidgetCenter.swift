import Foundation

/// The object through which an app reloads its widgets.
/// [WidgetCenter](https://developer.apple.com/documentation/widgetkit/widgetcenter)
///
/// Differs from iOS: the phone has no widgets, so reloading has no effect.
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private init() {}

    public func reloadAllTimelines() {}
    public func reloadTimelines(ofKind kind: String) {}
}
