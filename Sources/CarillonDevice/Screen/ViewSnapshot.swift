@_spi(Simulation) import UIKit

/// A view as drawn at one moment, with its subviews: all data that another program needs to draw it.
public struct ViewSnapshot: Sendable, Hashable, Codable {
    /// The kind of the drawn element.
    public enum Kind: String, Sendable, Hashable, Codable {
        case screen, window, view, label, button, image, effect
    }

    /// A rectangle in points.
    public struct Frame: Sendable, Hashable, Codable {
        /// The distance from the left edge of the superview, in points.
        public var x: Double
        /// The distance from the top edge of the superview, in points.
        public var y: Double
        /// The width of the rectangle, in points.
        public var width: Double
        /// The height of the rectangle, in points.
        public var height: Double
    }

    /// The border of a layer.
    public struct Border: Sendable, Hashable, Codable {
        /// The width of the border, in points.
        public var width: Double
        /// The border's colour, as `#rrggbbaa`.
        public var color: String
    }

    /// The shadow of a layer.
    public struct Shadow: Sendable, Hashable, Codable {
        /// The shadow's colour, as `#rrggbbaa`.
        public var color: String
        /// The shadow's opacity, 0…1.
        public var opacity: Double
        /// The shadow's blur radius, in points.
        public var radius: Double
        /// The shadow's offset to the right, in points.
        public var x: Double
        /// The shadow's offset downwards, in points.
        public var y: Double
    }

    /// The ID of the view, unique and constant while the view exists; 0 for the screen.
    public var id: Int
    /// The kind of the drawn element.
    public var kind: Kind
    /// The rectangle of the view, relative to the visible top left corner of its superview.
    ///
    /// The superview's scroll offset is already subtracted. A program that draws a view with a ``transform`` must apply the
    /// transform to this rectangle.
    public var frame: Frame
    /// The current opacity, 0…1, also during an animation.
    public var alpha: Double
    /// The text of a label or a button; `nil` for other views.
    public var text: String?
    /// The font size, in points; `nil` for a view without text.
    public var fontSize: Double?
    /// The weight of the font, −1…1; 0 is regular, 0.3 semibold, 0.4 bold.
    public var fontWeight: Double?
    /// The alignment of the text: `left`, `center`, `right`, `justified` or `natural`; `nil` for a view without text.
    public var textAlignment: String?
    /// The maximum number of lines of text; 0 for no limit.
    public var lineLimit: Int?
    /// The text's colour, as `#rrggbbaa`; `nil` for a view without text.
    public var textColor: String?
    /// The background colour, as `#rrggbbaa`; `nil` for none.
    public var backgroundColor: String?
    /// The name of a system symbol (`UIImage(systemName:)`); `nil` for none.
    public var symbol: String?
    /// The corner radius, in points.
    public var cornerRadius: Double
    /// The border; `nil` for none.
    public var border: Border?
    /// The shadow; `nil` for none.
    public var shadow: Shadow?
    /// Whether subviews are clipped to the frame.
    public var clips: Bool
    /// The affine transform around the center, as a, b, c, d, tx, ty; `nil` for none.
    public var transform: [Double]?
    /// Whether this view itself, rather than a superview, takes a tap.
    public var isTappable: Bool
    /// Whether the control is enabled; `true` for a view that is not a control.
    public var isEnabled: Bool
    /// The label that VoiceOver reads; `nil` if the app has set none.
    public var accessibilityLabel: String?
    /// The accessibility identifier; `nil` if the app has set none.
    public var accessibilityIdentifier: String?
    /// The visible subviews, back to front.
    public var children: [ViewSnapshot]

    /// Returns the first view for which `isWanted` is true: tries this view, then its subviews from front to back.
    public func first(where isWanted: (ViewSnapshot) -> Bool) -> ViewSnapshot? {
        if isWanted(self) { return self }
        for child in children.reversed() { if let found = child.first(where: isWanted) { return found } }
        return nil
    }

    /// The texts of this view and its subviews, front to back.
    public var texts: [String] { (text.map { [$0] } ?? []) + children.reversed().flatMap(\.texts) }
}

extension ViewSnapshot {
    /// Makes a snapshot of a view; `nil` if the view is hidden.
    ///
    /// - Parameters:
    ///   - view: the view to draw.
    ///   - offset: the scroll offset of the view's superview; the default is zero.
    @MainActor init?(_ view: UIView, scrolledBy offset: CGPoint = .zero) {
        guard !view.isHidden else { return nil }
        let description = view.simulatedDescription
        let drawn = view.drawnFrame
        // The frame to which the transform is applied. On iOS, `frame` is the rectangle around the transformed view.
        let isTransformed = !view.transform.isIdentity
        let frame =
            isTransformed
            ? CGRect(
                x: view.center.x - view.bounds.width / 2, y: view.center.y - view.bounds.height / 2,
                width: view.bounds.width, height: view.bounds.height) : drawn
        let inside = view.drawnOffset
        self.init(
            id: view.viewID, kind: Kind(description.kind), frame: Frame(frame.offsetBy(dx: -offset.x, dy: -offset.y)),
            alpha: view.drawnAlpha.drawn, cornerRadius: view.layer.cornerRadius.drawn, clips: view.layer.masksToBounds,
            isTappable: view.isTappable, isEnabled: description.isEnabled,
            children: view.subviews.compactMap { ViewSnapshot($0, scrolledBy: inside) })
        text = description.text
        fontSize = description.fontSize.map(\.drawn)
        fontWeight = description.fontWeight.map(\.drawn)
        textAlignment = description.textAlignment.map { "\($0)" }
        lineLimit = description.lineLimit
        textColor = description.textColor
        symbol = description.symbolName
        backgroundColor = view.backgroundColor?.rgba(in: view)
        border = Border(view.layer)
        shadow = Shadow(view.layer)
        let t = view.transform
        transform = isTransformed ? [t.a, t.b, t.c, t.d, t.tx, t.ty].map(\.drawn) : nil
        accessibilityLabel = view.accessibilityLabel
        accessibilityIdentifier = view.accessibilityIdentifier
    }

    init(
        id: Int, kind: Kind, frame: Frame, alpha: Double, cornerRadius: Double, clips: Bool, isTappable: Bool,
        isEnabled: Bool, children: [ViewSnapshot]
    ) {
        self.id = id
        self.kind = kind
        self.frame = frame
        self.alpha = alpha
        self.cornerRadius = cornerRadius
        self.clips = clips
        self.isTappable = isTappable
        self.isEnabled = isEnabled
        self.children = children
    }
}

extension ViewSnapshot.Kind {
    fileprivate init(_ kind: ViewDescription.Kind) {
        switch kind {
        case .window: self = .window
        case .view: self = .view
        case .label: self = .label
        case .button: self = .button
        case .image: self = .image
        case .effect: self = .effect
        }
    }
}

extension ViewSnapshot.Frame {
    init(_ frame: CGRect) {
        self.init(
            x: frame.minX.drawn, y: frame.minY.drawn, width: frame.width.drawn, height: frame.height.drawn)
    }
}

extension CGFloat {
    /// The number for a drawing program and for JSON, which have neither infinity nor NaN: 0 for those.
    fileprivate var drawn: Double { isFinite ? Double(self) : 0 }
}

extension ViewSnapshot.Border {
    @MainActor fileprivate init?(_ layer: CALayer) {
        guard layer.borderWidth > 0, let color = layer.borderColor else { return nil }
        self.init(width: layer.borderWidth.drawn, color: color.rgba)
    }
}

extension ViewSnapshot.Shadow {
    @MainActor fileprivate init?(_ layer: CALayer) {
        guard layer.shadowOpacity > 0, let color = layer.shadowColor else { return nil }
        self.init(
            color: color.rgba, opacity: CGFloat(layer.shadowOpacity).drawn, radius: layer.shadowRadius.drawn,
            x: layer.shadowOffset.width.drawn, y: layer.shadowOffset.height.drawn)
    }
}
