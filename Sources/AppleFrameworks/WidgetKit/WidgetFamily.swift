/// The size and the shape of a widget.
/// [WidgetFamily](https://developer.apple.com/documentation/widgetkit/widgetfamily)
@available(iOS 14, *)
public enum WidgetFamily: Int, Sendable, CustomStringConvertible {
    case systemSmall
    case systemMedium
    case systemLarge
    @available(iOS 15, *)
    case systemExtraLarge
    @available(iOS 16, *)
    case accessoryCircular
    @available(iOS 16, *)
    case accessoryRectangular
    @available(iOS 16, *)
    case accessoryInline

    public var description: String {
        switch self {
        case .systemSmall: "systemSmall"
        case .systemMedium: "systemMedium"
        case .systemLarge: "systemLarge"
        case .systemExtraLarge: "systemExtraLarge"
        case .accessoryCircular: "accessoryCircular"
        case .accessoryRectangular: "accessoryRectangular"
        case .accessoryInline: "accessoryInline"
        }
    }
}
