import Foundation
import UIKit

/// The banner itself: a title and a text on a card. It reports its touches and decides nothing.
final class BannerView: UIView {
    var onTouch: ((BannerMachine.Event) -> Void)?

    private let title = UILabel(frame: .zero)
    private let body = UILabel(frame: .zero)
    private var track: TouchTrack?
    private var isExpanded = false

    private static let padding: CGFloat = 14
    private static let titleHeight: CGFloat = 20
    private static let collapsedLines = 2

    override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .secondarySystemBackground
        layer.cornerRadius = 18
        layer.shadowOpacity = 0.25
        layer.shadowRadius = 8
        title.font = .boldSystemFont(ofSize: 15)
        body.font = .systemFont(ofSize: 15)
        body.numberOfLines = Self.collapsedLines
        isAccessibilityElement = true
        accessibilityTraits = .button
        addSubview(title)
        addSubview(body)
    }

    required init?(coder: NSCoder) { nil }

    #if os(Linux)  // There `UIView.init()` is `required`, as no Objective-C runtime looks it up.
        required convenience init() { self.init(frame: .zero) }
    #endif

    func display(_ content: BannerContent) {
        title.text = content.title
        body.text = content.body
        accessibilityLabel = content.spoken
        isExpanded = false
        body.numberOfLines = Self.collapsedLines
        setNeedsLayout()
    }

    /// Shows the whole text.
    func expand() {
        isExpanded = true
        body.numberOfLines = 0
        setNeedsLayout()
    }

    func height(width: CGFloat) -> CGFloat {
        let room = CGSize(width: width - 2 * Self.padding, height: .greatestFiniteMagnitude)
        let text = body.sizeThatFits(room).height
        let limit: CGFloat = isExpanded ? 400 : 40
        return 2 * Self.padding + Self.titleHeight + min(text, limit)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        let width = bounds.width - 2 * Self.padding
        title.frame = CGRect(x: Self.padding, y: Self.padding, width: width, height: Self.titleHeight)
        let top = Self.padding + Self.titleHeight
        body.frame = CGRect(x: Self.padding, y: top, width: width, height: bounds.height - top - Self.padding)
    }

    override func accessibilityPerformEscape() -> Bool {
        onTouch?(.escaped)
        return true
    }

    // MARK: Touches
    // The touches themselves, not recognisers: a finger put down must stop the clock before anything is recognised.

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        track = TouchTrack(at: touch.location(in: nil), time: touch.timestamp)
        onTouch?(.touched)
    }

    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent?) {
        guard let touch = touches.first else { return }
        track?.moved(to: touch.location(in: nil), time: touch.timestamp)
        if let track, !track.isTap { onTouch?(.dragged(translation: track.translation)) }
    }

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) {
        if let touch = touches.first { track?.moved(to: touch.location(in: nil), time: touch.timestamp) }
        guard let track else { return }
        self.track = nil
        onTouch?(
            track.isTap
                ? .tapped
                : .released(
                    translation: track.translation, velocity: track.velocity, height: bounds.height))
    }

    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) {
        track = nil
        onTouch?(.released(translation: 0, velocity: 0, height: bounds.height))
    }
}
