@_spi(Simulation) import UIKit

/// A view as it is drawn at one moment, with what lies in it: everything a page needs to draw it.
public struct ViewSnapshot: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable {
        case screen, window, view, label, button, image, effect
    }

    public struct Frame: Sendable, Hashable, Codable {
        /// Points, from the top left corner of the view that this one lies in.
        public var x, y, width, height: Double
    }

    public struct Border: Sendable, Hashable, Codable {
        public var width: Double
        public var color: String
    }

    public struct Shadow: Sendable, Hashable, Codable {
        public var color: String
        /// 0…1.
        public var opacity: Double
        public var radius: Double
        public var x, y: Double
    }

    /// Differs in every view; 0 for the screen.
    public var id: Int
    public var kind: Kind
    public var frame: Frame
    /// 0…1; as drawn, while it is being animated.
    public var alpha: Double
    public var text: String?
    /// Points.
    public var fontSize: Double?
    /// −1…1; 0 is regular, 0.3 semibold, 0.4 bold.
    public var fontWeight: Double?
    /// `left`, `center`, `right`, `justified` or `natural`.
    public var textAlignment: String?
    /// 0: as many as are needed.
    public var lineLimit: Int?
    /// `#rrggbbaa`.
    public var textColor: String?
    public var backgroundColor: String?
    /// The name of a symbol of the system's.
    public var symbol: String?
    public var cornerRadius: Double
    public var border: Border?
    public var shadow: Shadow?
    /// Whether what lies outside of the frame is cut off.
    public var clips: Bool
    /// a, b, c, d, tx, ty, around the middle; `nil` for none.
    public var transform: [Double]?
    /// Whether a tap would be taken by this very view.
    public var isTappable: Bool
    public var isEnabled: Bool
    public var accessibilityLabel: String?
    public var accessibilityIdentifier: String?
    /// Back to front.
    public var children: [ViewSnapshot]

    /// The first view, itself included, for which `isWanted` is true, front to back.
    public func first(where isWanted: (ViewSnapshot) -> Bool) -> ViewSnapshot? {
        if isWanted(self) { return self }
        for child in children.reversed() { if let found = child.first(where: isWanted) { return found } }
        return nil
    }

    /// Every text on it, front to back.
    public var texts: [String] { (text.map { [$0] } ?? []) + children.reversed().flatMap(\.texts) }
}

extension ViewSnapshot {
    /// - Returns: `nil` for a hidden view.
    @MainActor init?(_ view: UIView) {
        guard !view.isHidden else { return nil }
        let description = view.simulatedDescription
        let drawn = view.drawnFrame
        // The frame that a transform is applied to: a frame of iOS is what surrounds the transformed view.
        let isTransformed = !view.transform.isIdentity
        let frame =
            isTransformed
            ? CGRect(
                x: view.center.x - view.bounds.width / 2, y: view.center.y - view.bounds.height / 2,
                width: view.bounds.width, height: view.bounds.height) : drawn
        self.init(
            id: view.viewID, kind: Kind(description.kind), frame: Frame(frame), alpha: Double(view.drawnAlpha),
            cornerRadius: Double(view.layer.cornerRadius), clips: view.layer.masksToBounds,
            isTappable: view.isTappable, isEnabled: description.isEnabled,
            children: view.subviews.compactMap { ViewSnapshot($0) })
        text = description.text
        fontSize = description.fontSize.map(Double.init)
        fontWeight = description.fontWeight.map(Double.init)
        textAlignment = description.textAlignment.map { "\($0)" }
        lineLimit = description.lineLimit
        textColor = description.textColor
        symbol = description.symbolName
        backgroundColor = view.backgroundColor?.rgba(in: view)
        border = Border(view.layer)
        shadow = Shadow(view.layer)
        let t = view.transform
        transform = isTransformed ? [t.a, t.b, t.c, t.d, t.tx, t.ty].map(Double.init) : nil
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
            x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width), height: Double(frame.height))
    }
}

extension ViewSnapshot.Border {
    @MainActor fileprivate init?(_ layer: CALayer) {
        guard layer.borderWidth > 0, let color = layer.borderColor else { return nil }
        self.init(width: Double(layer.borderWidth), color: color.rgba)
    }
}

extension ViewSnapshot.Shadow {
    @MainActor fileprivate init?(_ layer: CALayer) {
        guard layer.shadowOpacity > 0, let color = layer.shadowColor else { return nil }
        self.init(
            color: color.rgba, opacity: Double(layer.shadowOpacity), radius: Double(layer.shadowRadius),
            x: Double(layer.shadowOffset.width), y: Double(layer.shadowOffset.height))
    }
}
