@_spi(Simulation) import WidgetKit

/// A kind of widget that an app offers: the stand-in for a `Widget` in the app's widget extension.
///
/// The phone does not run SwiftUI. A widget shows lines of text, which the app's code gives whenever the phone reloads the widget.
public struct WidgetLayout: Sendable {
    /// The name of the kind, as `StaticConfiguration(kind:)` and ``WidgetKit/WidgetCenter`` have it.
    public let kind: String
    /// The name that the person reads: `configurationDisplayName`.
    public let name: String
    /// The sizes that the person may choose from: `supportedFamilies`.
    public let families: [WidgetFamily]
    let handler: Handler?
    let content: (@MainActor @Sendable () async -> [String])?

    /// Makes a kind of widget.
    ///
    /// - Parameters:
    ///   - kind: the name of the kind.
    ///   - name: the name that the person reads.
    ///   - families: the sizes to choose from; the default is small, medium and large.
    ///   - pushHandler: the type that the widget's configuration names with `pushHandler(_:)`. With `nil`, the default, pushes do
    ///     not reload the widget.
    ///   - content: returns the widget's lines, in the place of a `TimelineProvider`. The phone calls it in the widget extension's
    ///     process, at each reload; the time limit is ``PhoneRules/backgroundWakeSeconds``. The default gives no lines.
    public init(
        kind: String, name: String, families: [WidgetFamily] = [.systemSmall, .systemMedium, .systemLarge],
        pushHandler: (any WidgetPushHandler.Type)? = nil,
        content: (@MainActor @Sendable () async -> [String])? = nil
    ) {
        self.kind = kind
        self.name = name
        self.families = families
        self.content = content
        handler = pushHandler.map { Handler($0) }
    }

    /// An app's push handler for widgets.
    ///
    /// `@unchecked`: the closure has no state; it only names the app's type, whose metatype Swift does not take for Sendable.
    struct Handler: @unchecked Sendable {
        let type: ObjectIdentifier
        /// Makes an object of the app's type, and tells it the token and the widgets.
        let tell: (Data, [WidgetInfo]) -> Void

        init(_ type: any WidgetPushHandler.Type) {
            self.type = ObjectIdentifier(type)
            tell = { type.init().pushTokenDidChange(WidgetPushInfo(token: $0), widgets: $1) }
        }
    }
}

/// A kind of control that an app offers: the stand-in for a `ControlWidget` in the app's widget extension.
public struct ControlLayout: Sendable {
    /// The name of the kind, as `StaticControlConfiguration(kind:)` and ``WidgetKit/ControlCenter`` have it.
    public let kind: String
    /// The name that the person reads: `displayName`.
    public let name: String
    let handler: Handler?
    let value: (@MainActor @Sendable () async -> String)?

    /// Makes a kind of control.
    ///
    /// - Parameters:
    ///   - kind: the name of the kind.
    ///   - name: the name that the person reads.
    ///   - pushHandler: the type that the control's configuration names with `pushHandler(_:)`. With `nil`, the default, the
    ///     control gets no token.
    ///   - value: returns the control's value as the person reads it, in the place of a `ControlValueProvider`. The phone calls it
    ///     in the widget extension's process, at each reload. The default gives none.
    public init(
        kind: String, name: String, pushHandler: (any ControlPushHandler.Type)? = nil,
        value: (@MainActor @Sendable () async -> String)? = nil
    ) {
        self.kind = kind
        self.name = name
        self.value = value
        handler = pushHandler.map { Handler($0) }
    }

    /// An app's push handler for controls.
    ///
    /// `@unchecked`: the closure has no state; it only names the app's type, whose metatype Swift does not take for Sendable.
    struct Handler: @unchecked Sendable {
        let type: ObjectIdentifier
        /// Makes an object of the app's type, and tells it the controls with their tokens.
        let tell: ([ControlInfo]) -> Void

        init(_ type: any ControlPushHandler.Type) {
            self.type = ObjectIdentifier(type)
            tell = { type.init().pushTokensDidChange(controls: $0) }
        }
    }
}
