/// The object through which an app reads and reloads its widgets.
/// [WidgetCenter](https://developer.apple.com/documentation/widgetkit/widgetcenter)
@available(iOS 14, *)
public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()

    private init() {}

    /// Reads the widgets that the person has added.
    public func getCurrentConfigurations(_ completion: @escaping @Sendable (Result<[WidgetInfo], any Error>) -> Void) {
        guard let host = currentHost() else { return completion(.success([])) }
        host.widgets { completion(.success($0)) }
    }

    /// Reads the widgets that the person has added.
    @available(iOS 18, *)
    public func currentConfigurations() async throws -> [WidgetInfo] {
        try await withUnsafeThrowingContinuation { continuation in
            getCurrentConfigurations { continuation.resume(with: $0) }
        }
    }

    public func reloadTimelines(ofKind kind: String) { currentHost()?.reloadWidgets(ofKind: kind) }
    public func reloadAllTimelines() { currentHost()?.reloadWidgets(ofKind: nil) }

    /// The token for pushes to the app's widgets; `nil` until there is one, and while no widget with a push handler is on the
    /// phone.
    @available(iOS 26, *)
    public var currentPushInfo: WidgetPushInfo? {
        get async {
            guard let host = currentHost() else { return nil }
            return await withUnsafeContinuation { continuation in
                host.widgetToken { token in continuation.resume(returning: token.map { WidgetPushInfo(token: $0) }) }
            }
        }
    }
}
