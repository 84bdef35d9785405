import Foundation

/// A view that arranges its views in a row or a column.
/// [UIStackView](https://developer.apple.com/documentation/uikit/uistackview)
///
/// Differs from iOS: the stack does not resize itself. It arranges its views inside its present frame, and its `sizeThatFits`
/// returns the size that the stack needs. A view without an intrinsic size gets the length that the view's `sizeThatFits`
/// returns; for `UIView` itself, this is its current length. With `fill` the last view takes the remaining space. Baselines
/// count as tops and bottoms.
@MainActor @preconcurrency open class UIStackView: UIView {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Distribution: Int, Sendable {
        case fill = 0
        case fillEqually = 1
        case fillProportionally = 2
        case equalSpacing = 3
        case equalCentering = 4
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Alignment: Int, Sendable {
        case fill = 0
        case leading = 1
        case firstBaseline = 2
        case center = 3
        case trailing = 4
        case lastBaseline = 5

        public static let top = Alignment.leading
        public static let bottom = Alignment.trailing
    }

    open private(set) var arrangedSubviews: [UIView] = []
    /// The direction of the arrangement. The default is a row.
    open var axis = NSLayoutConstraint.Axis.horizontal { didSet { setNeedsLayout() } }
    open var distribution = Distribution.fill { didSet { setNeedsLayout() } }
    open var alignment = Alignment.fill { didSet { setNeedsLayout() } }
    /// The gap between views, in points.
    open var spacing: CGFloat = 0 { didSet { setNeedsLayout() } }

    private var customSpacings: [ObjectIdentifier: CGFloat] = [:]

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(arrangedSubviews views: [UIView]) {
        self.init(frame: .zero)
        for view in views { addArrangedSubview(view) }
    }

    public required init?(coder: NSCoder) { nil }

    open func addArrangedSubview(_ view: UIView) { insertArrangedSubview(view, at: arrangedSubviews.count) }

    open func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        arrangedSubviews.removeAll { $0 === view }
        arrangedSubviews.insert(view, at: min(max(stackIndex, 0), arrangedSubviews.count))
        if view.superview !== self { addSubview(view) }
        setNeedsLayout()
    }

    /// Removes a view from ``arrangedSubviews``. The view stays in `subviews`, as on iOS.
    open func removeArrangedSubview(_ view: UIView) {
        arrangedSubviews.removeAll { $0 === view }
        setNeedsLayout()
    }

    open func setCustomSpacing(_ spacing: CGFloat, after arrangedSubview: UIView) {
        customSpacings[ObjectIdentifier(arrangedSubview)] = spacing
        setNeedsLayout()
    }

    open func customSpacing(after arrangedSubview: UIView) -> CGFloat {
        customSpacings[ObjectIdentifier(arrangedSubview)] ?? spacing
    }

    open override func sizeThatFits(_ size: CGSize) -> CGSize {
        let views = shown
        let across = axis == .vertical ? size.width : size.height
        let along = views.map { length(of: $0, across: across) }.reduce(0, +) + gaps(views).reduce(0, +)
        let widest = views.map { breadth(of: $0, across: across) }.max() ?? 0
        return axis == .vertical ? CGSize(width: widest, height: along) : CGSize(width: along, height: widest)
    }

    open override var intrinsicContentSize: CGSize {
        sizeThatFits(CGSize(width: CGFloat.greatestFiniteMagnitude, height: .greatestFiniteMagnitude))
    }

    open override func layoutSubviews() {
        super.layoutSubviews()
        arrangedSubviews.removeAll { $0.superview !== self }
        let views = shown
        guard !views.isEmpty else { return }
        let (room, across) =
            axis == .vertical ? (bounds.height, bounds.width) : (bounds.width, bounds.height)
        let row = Row(
            natural: views.map { length(of: $0, across: across) }, gaps: gaps(views), room: room,
            distribution: distribution)
        for (view, span) in zip(views, row.spans) {
            let breadth = alignment == .fill ? across : min(breadth(of: view, across: across), across)
            place(view, along: span, at: offset(breadth, in: across), breadth: breadth)
        }
    }

    private func place(_ view: UIView, along span: Row.Span, at offset: CGFloat, breadth: CGFloat) {
        view.frame =
            axis == .vertical
            ? CGRect(x: offset, y: span.start, width: breadth, height: span.length)
            : CGRect(x: span.start, y: offset, width: span.length, height: breadth)
    }

    private func offset(_ breadth: CGFloat, in across: CGFloat) -> CGFloat {
        switch alignment {
        case .center: (across - breadth) / 2
        case .trailing, .lastBaseline: across - breadth
        default: 0
        }
    }

    private var shown: [UIView] { arrangedSubviews.filter { !$0.isHidden && $0.superview === self } }

    private func gaps(_ views: [UIView]) -> [CGFloat] { views.dropLast().map { customSpacing(after: $0) } }

    private func length(of view: UIView, across: CGFloat) -> CGFloat {
        let size = fitting(view, across)
        return axis == .vertical ? size.height : size.width
    }

    private func breadth(of view: UIView, across: CGFloat) -> CGFloat {
        let size = fitting(view, across)
        return axis == .vertical ? size.width : size.height
    }

    private func fitting(_ view: UIView, _ across: CGFloat) -> CGSize {
        let own = view.intrinsicContentSize
        guard axis == .vertical, own.width > across else {
            let fitted = view.sizeThatFits(view.bounds.size)
            return CGSize(
                width: own.width >= 0 ? own.width : fitted.width, height: own.height >= 0 ? own.height : fitted.height)
        }
        // Text that is too long for a column takes more lines.
        return view.sizeThatFits(CGSize(width: across, height: 0))
    }
}
