import Foundation
import UIKit

/// The SDK's own banner view: a symbol, a title and a text on a card, and a handle at its lower edge.
///
/// It looks like a notification of iOS. Its fonts follow Dynamic Type: at the accessibility sizes the texts take the whole
/// width, one below the other, without the symbol. In a right-to-left interface the card is mirrored.
package final class BannerCard: UIView, BannerBody {
    private let symbol = UIImageView(image: nil)
    private let title = UILabel(frame: .zero)
    private let moment = UILabel(frame: .zero)
    private let text = UILabel(frame: .zero)
    private let handle = UIView(frame: .zero)
    private let isRightToLeft: Bool
    /// Whether the person has chosen one of the accessibility text sizes.
    private let isLarge: Bool

    private static let padding: CGFloat = 14
    private static let symbolSize: CGFloat = 38
    private static let handleHeight: CGFloat = 5
    /// The space between the title and the time beside it.
    private static let gap: CGFloat = 14
    /// The number of text lines while the card is not expanded.
    private static let collapsedLines = 2
    /// The smallest body text size, in points, at which the texts take the whole width: the first accessibility size
    /// ([Typography](https://developer.apple.com/design/human-interface-guidelines/typography)).
    private static let accessibilitySize: CGFloat = 28

    /// The card's background: dark in Dark Mode, like the labels' own colours.
    private static let paper = UIColor { traits in
        UIColor(white: traits.userInterfaceStyle == .dark ? 0.17 : 0.98, alpha: 1)
    }

    /// Makes an empty card.
    ///
    /// - Parameter surroundings: the person's settings for fonts and direction.
    package init(surroundings: BannerSurroundings) {
        isRightToLeft = surroundings.isRightToLeft()
        isLarge = surroundings.font(.body).pointSize >= Self.accessibilitySize
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
        moment.text = surroundings.now
        moment.numberOfLines = 0
        symbol.image = UIImage(systemName: "bell.fill")
        symbol.tintColor = .white
        symbol.backgroundColor = .systemIndigo
        symbol.layer.cornerRadius = 9
        symbol.layer.masksToBounds = true
        handle.backgroundColor = .systemGray4
        handle.layer.cornerRadius = Self.handleHeight / 2
        symbol.isHidden = isLarge
        for label in [title, moment, text] { label.textAlignment = isRightToLeft ? .right : .left }
        if !isLarge { moment.textAlignment = isRightToLeft ? .left : .right }
        for view in [symbol, title, moment, text, handle] { addSubview(view) }
    }

    /// Returns `nil`, because a card is made only in code.
    ///
    /// - Parameter coder: not read.
    package required init?(coder: NSCoder) { nil }

    #if os(Linux)  // There `UIView.init()` is `required`, as no Objective-C runtime looks it up.
        /// Makes an empty card with the phone's settings.
        package required convenience init() { self.init(surroundings: .system) }
    #endif

    /// Shows the title and the text; if there is no title, shows the text in the title's place.
    ///
    /// - Parameter content: the banner's content.
    package func display(_ content: BannerContent) {
        title.text = content.title.isEmpty ? content.body : content.title
        text.text = content.title.isEmpty ? "" : content.body
        setNeedsLayout()
    }

    /// Returns the height of the card: with the first lines of its texts, or if the card is expanded, with the whole texts.
    ///
    /// - Parameters:
    ///   - width: the width that the card will have, in points.
    ///   - isExpanded: whether the person has pulled the banner open.
    /// - Returns: the height in points; the presenter limits it to the window.
    package func height(width: CGFloat, isExpanded: Bool) -> CGFloat {
        title.numberOfLines = isExpanded ? 0 : isLarge ? Self.collapsedLines : 1
        text.numberOfLines = isExpanded ? 0 : Self.collapsedLines
        return places(width: width).height
    }

    /// The frames of the texts, and the height that they need.
    private struct Places {
        var title = CGRect.zero
        var moment = CGRect.zero
        var text = CGRect.zero
        var height: CGFloat = 0
    }

    private func places(width: CGFloat) -> Places {
        let left = isLarge ? Self.padding : 2 * Self.padding + Self.symbolSize
        let room = width - left - Self.padding
        var places = Places()
        var y = Self.padding
        var titleWidth = room
        if isLarge {
            places.moment = CGRect(x: left, y: y, width: room, height: height(of: moment, width: room))
            y = places.moment.maxY
        } else {
            let size = moment.sizeThatFits(CGSize(width: room / 2, height: .greatestFiniteMagnitude))
            places.moment = CGRect(
                x: left + room - size.width, y: y, width: size.width, height: max(size.height, title.font.lineHeight))
            titleWidth -= size.width + Self.gap
        }
        places.title = CGRect(x: left, y: y, width: titleWidth, height: height(of: title, width: titleWidth))
        y = max(places.title.maxY, places.moment.maxY)
        places.text = CGRect(x: left, y: y, width: room, height: height(of: text, width: room))
        let content = max(isLarge ? 0 : Self.symbolSize, places.text.maxY - Self.padding)
        places.height = content + 2 * Self.padding + Self.handleHeight
        return places
    }

    private func height(of label: UILabel, width: CGFloat) -> CGFloat {
        label.sizeThatFits(CGSize(width: width, height: .greatestFiniteMagnitude)).height
    }

    /// Places the symbol, the texts and the handle; called by UIKit.
    package override func layoutSubviews() {
        super.layoutSubviews()
        var frames = places(width: bounds.width)
        // In a low window, only whole lines of the text are shown.
        let room = max(0, bounds.height - Self.padding - Self.handleHeight - frames.text.minY)
        if frames.text.height > room {
            frames.text.size.height = (room / text.font.lineHeight).rounded(.down) * text.font.lineHeight
        }
        symbol.frame = mirrored(
            CGRect(x: Self.padding, y: Self.padding, width: Self.symbolSize, height: Self.symbolSize))
        title.frame = mirrored(frames.title)
        moment.frame = mirrored(frames.moment)
        text.frame = mirrored(frames.text)
        handle.frame = CGRect(
            x: (bounds.width - 36) / 2, y: bounds.height - Self.handleHeight - 5, width: 36, height: Self.handleHeight)
    }

    /// Returns the frame, mirrored if the interface runs from right to left.
    private func mirrored(_ frame: CGRect) -> CGRect {
        guard isRightToLeft else { return frame }
        return CGRect(x: bounds.width - frame.maxX, y: frame.minY, width: frame.width, height: frame.height)
    }
}
