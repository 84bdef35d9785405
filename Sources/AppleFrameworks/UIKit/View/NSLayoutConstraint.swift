import Foundation

/// A relation between two edges or lengths of views.
/// [NSLayoutConstraint](https://developer.apple.com/documentation/uikit/nslayoutconstraint)
///
/// Differs from iOS: a constraint is stored without effect; a view stays in its frame.
@MainActor @preconcurrency open class NSLayoutConstraint: NSObject {
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Axis: Int, Sendable {
        case horizontal = 0
        case vertical = 1
    }

    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Relation: Int, Sendable {
        case lessThanOrEqual = -1
        case equal = 0
        case greaterThanOrEqual = 1
    }

    public let relation: NSLayoutConstraint.Relation
    public let multiplier: CGFloat
    open var constant: CGFloat
    open var priority = UILayoutPriority.required
    open var isActive = false
    open var identifier: String?

    init(_ relation: NSLayoutConstraint.Relation, multiplier: CGFloat, constant: CGFloat) {
        self.relation = relation
        self.multiplier = multiplier
        self.constant = constant
        super.init()
    }

    open class func activate(_ constraints: [NSLayoutConstraint]) { for one in constraints { one.isActive = true } }

    open class func deactivate(_ constraints: [NSLayoutConstraint]) { for one in constraints { one.isActive = false } }
}
