/// A widget that the person has added to the phone.
/// [WidgetInfo](https://developer.apple.com/documentation/widgetkit/widgetinfo)
///
/// Differs from iOS: there is no `configuration`, because the phone's widgets have no values that the person edits.
@available(iOS 14, *)
public struct WidgetInfo: Identifiable, Hashable, Sendable {
    /// The name that the app gave the widget's configuration.
    public let kind: String
    public let family: WidgetFamily
    /// Tells two widgets of one kind and one family apart.
    private let number: Int

    public var id: WidgetInfo { self }

    @_spi(Simulation) public init(kind: String, family: WidgetFamily, number: Int) {
        self.kind = kind
        self.family = family
        self.number = number
    }
}
