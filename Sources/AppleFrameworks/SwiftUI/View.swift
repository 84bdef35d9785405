import Foundation
import UIKit
@_spi(Simulation) import UserNotifications

/// A part of the user interface.
/// [View](https://developer.apple.com/documentation/swiftui/view)
///
/// Differs from iOS: only texts are drawn, one below the other, and a drawn text does not change when the app's state changes.
/// Replace other views, which push code does not need, by a ``Text``.
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View

    @ViewBuilder var body: Body { get }
}

/// Stops the program: no value has the type `Never`, so the body of a view or scene without one cannot be returned.
///
/// SwiftUI itself asks no such view for its body; only an app's own call does.
func noBody(of type: Any.Type) -> Never { SimulatedDevices.stop("body() should not be called on \(type).") }

extension Never: View {
    public var body: Never { noBody(of: Self.self) }
}

extension View {
    func collect(into content: inout ViewContent) {
        if let part = self as? any ViewPart {
            part.collectPart(into: &content)
        } else {
            body.collect(into: &content)
        }
    }
}

/// A view that contains no other views.
@MainActor protocol ViewPart {
    func collectPart(into content: inout ViewContent)
}

/// The contents of a view hierarchy: its texts and its `onAppear` closures.
struct ViewContent {
    var texts: [String] = []
    /// The closures to call when the view appears.
    var appears: [@MainActor () -> Void] = []
}

/// A result builder for the views inside a view.
/// [ViewBuilder](https://developer.apple.com/documentation/swiftui/viewbuilder)
@MainActor @preconcurrency @resultBuilder public struct ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        var parts: [any View] = []
        repeat parts.append(each content)
        return TupleView((repeat each content), parts)
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<First, Second> {
        _ConditionalContent(first)
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<First, Second> {
        _ConditionalContent(second)
    }
}

/// A view without content.
/// [EmptyView](https://developer.apple.com/documentation/swiftui/emptyview)
public struct EmptyView: View, ViewPart {
    public nonisolated init() {}

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) {}
}

/// A group of several views.
/// [TupleView](https://developer.apple.com/documentation/swiftui/tupleview)
public struct TupleView<Value>: View, ViewPart {
    public let value: Value
    private let parts: [any View]

    init(_ value: Value, _ parts: [any View]) {
        self.value = value
        self.parts = parts
    }

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) {
        for part in parts { part.collect(into: &content) }
    }
}

/// The view of the branch that an `if` or `switch` in a view builder has taken.
public struct _ConditionalContent<First: View, Second: View>: View, ViewPart {
    private let content: any View

    init(_ content: any View) { self.content = content }

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) { self.content.collect(into: &content) }
}

extension Optional: View, ViewPart where Wrapped: View {
    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) { self?.collect(into: &content) }
}

/// A view that arranges its views in a column. [VStack](https://developer.apple.com/documentation/swiftui/vstack)
public struct VStack<Content: View>: View, ViewPart {
    private let content: Content

    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) { self.content.collect(into: &content) }
}

/// A view that shows a text.
/// [Text](https://developer.apple.com/documentation/swiftui/text)
///
/// Differs from iOS: only a literal without `\(…)` is localized.
public struct Text: View, ViewPart {
    private let text: String

    public init(_ key: LocalizedStringKey) { text = NSLocalizedString(key.key, comment: "") }

    @_disfavoredOverload public init<Content: StringProtocol>(_ content: Content) { text = String(content) }

    public init(verbatim content: String) { text = content }

    public var body: Never { noBody(of: Self.self) }

    func collectPart(into content: inout ViewContent) { content.texts.append(text) }
}

/// A key of the app's localized strings; without a translation, the key itself is the text.
/// [LocalizedStringKey](https://developer.apple.com/documentation/swiftui/localizedstringkey)
public struct LocalizedStringKey: ExpressibleByStringLiteral, Equatable, Sendable {
    let key: String

    public init(_ value: String) { key = value }

    public init(stringLiteral value: String) { key = value }
}
