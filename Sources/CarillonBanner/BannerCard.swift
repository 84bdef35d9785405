import Foundation
import UIKit

/// The SDK's own banner view: a symbol, a title and a text on a card, and a handle at its lower edge.
///
/// It looks like a notification of iOS. Its fonts follow Dynamic Type, and it is mirrored if the interface runs from right to
/// left.
package final class BannerCard: UIView, BannerBody {
    private let symbol = UIImageView(image: nil)
    private let title = UILabel(frame: .zero)
    private let moment = UILabel(frame: .zero)
    private let text = UILabel(frame: .zero)
    private let handle = UIView(frame: .zero)
    private let isRightToLeft: Bool

    private static let padding: CGFloat = 14
    private static let symbolSize: CGFloat = 38
    private static let handleHeight: CGFloat = 5
    /// The number of text lines while the card is not expanded.
    private static let collapsedLines = 2
    /// The greatest height of a card, in points, however long its text is.
    private static let heightLimit: CGFloat = 400

    /// The card's background: dark in Dark Mode, like the labels' own colours.
    private static let paper = UIColor { traits in
        UIColor(white: traits.userInterfaceStyle == .dark ? 0.17 : 0.98, alpha: 1)
    }

    /// Makes an empty card.
    ///
    /// - Parameter surroundings: the person's settings for fonts and direction.
    package init(surroundings: BannerSurroundings) {
        isRightToLeft = surroundings.isRightToLeft()
        super.init(frame: .zero)
        backgroundColor = Self.paper
        layer.cornerRadius = 24
        layer.shadowOpacity = 0.22
        layer.shadowRadius = 14
        layer.shadowOffset = CGSize(width: 0, height: 6)
        isUserInteractionEnabled = false
        title.font = surroundings.font(.headline).withSize(surroundings.font(.subheadline).pointSize)
        text.font = surroundings.font(.subheadline)
        moment.font = surroundings.font(.footnote)
        moment.textColor = .secondaryLabel
        moment.text = NSLocalizedString("now", comment: "when a banner has come")
        symbol.image = UIImage(systemName: "bell.fill")
        symbol.tintColor = .white
        symbol.backgroundColor = .systemIndigo
        symbol.layer.cornerRadius = 9
        symbol.layer.masksToBounds = true
        handle.backgroundColor = .systemGray4
        handle.layer.cornerRadius = Self.handleHeight / 2
        for label in [title, moment, text] { label.textAlignment = isRightToLeft ? .right : .left }
        moment.textAlignment = isRightToLeft ? .left : .right
        for view in [symbol, title, moment, text, handle] { addSubview(view) }
    }

    /// Always `nil`: a card is made in code.
    ///
    /// - Parameter coder: not read.
    package required init?(coder: NSCoder) { nil }

    #if os(Linux)  // There `UIView.init()` is `required`, as no Objective-C runtime looks it up.
        /// Makes an empty card with the phone's settings.
        package required convenience init() { self.init(surroundings: .system) }
    #endif

    /// Shows the title and the text; without a title, the text takes its place.
    ///
    /// - Parameter content: what the banner says.
    package func display(_ content: BannerContent) {
        title.text = content.title.isEmpty ? content.body : content.title
        text.text = content.title.isEmpty ? "" : content.body
        setNeedsLayout()
    }

    /// Returns the height of the card, at most 400 points: with two lines of text, or with all of them if it is expanded.
    ///
    /// - Parameters:
    ///   - width: the width that the card will have, in points.
    ///   - isExpanded: whether the person has pulled the banner open.
    /// - Returns: the height in points.
    package func height(width: CGFloat, isExpanded: Bool) -> CGFloat {
        text.numberOfLines = isExpanded ? 0 : Self.collapsedLines
        let room = CGSize(width: textWidth(width), height: .greatestFiniteMagnitude)
        let words = title.font.lineHeight + text.sizeThatFits(room).height
        return min(Self.heightLimit, max(Self.symbolSize, words) + 2 * Self.padding + Self.handleHeight)
    }

    private func textWidth(_ width: CGFloat) -> CGFloat { width - 3 * Self.padding - Self.symbolSize }

    /// Places the symbol, the texts and the handle; called by UIKit.
    package override func layoutSubviews() {
        super.layoutSubviews()
        let left = 2 * Self.padding + Self.symbolSize
        let width = textWidth(bounds.width)
        let momentWidth = min(width / 3, moment.intrinsicContentSize.width + 14)
        let lineHeight = title.font.lineHeight
        let bottom = bounds.height - Self.padding - Self.handleHeight
        symbol.frame = mirrored(
            CGRect(
                x: Self.padding, y: Self.padding, width: Self.symbolSize, height: Self.symbolSize))
        title.frame = mirrored(
            CGRect(x: left, y: Self.padding, width: width - momentWidth, height: lineHeight))
        moment.frame = mirrored(
            CGRect(x: left + width - momentWidth, y: Self.padding, width: momentWidth, height: lineHeight))
        let top = Self.padding + lineHeight
        text.frame = mirrored(CGRect(x: left, y: top, width: width, height: max(0, bottom - top)))
        handle.frame = CGRect(
            x: (bounds.width - 36) / 2, y: bounds.height - Self.handleHeight - 5, width: 36, height: Self.handleHeight)
    }

    /// Returns the frame itself, or its mirror image if the interface runs from right to left.
    private func mirrored(_ frame: CGRect) -> CGRect {
        guard isRightToLeft else { return frame }
        return CGRect(x: bounds.width - frame.maxX, y: frame.minY, width: frame.width, height: frame.height)
    }
}
