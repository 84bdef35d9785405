import Foundation
import UIKit

/// The view of a banner: contains the ``BannerBody``, and reports touches and VoiceOver gestures to the presenter.
final class BannerView: UIView {
    /// The accessibility identifier by which UI tests find the banner.
    static let identifier = "carillon.banner"

    var onTouch: ((BannerMachine.Event) -> Void)?

    private var body: (any BannerBody)?
    private var track: TouchTrack?
    private var isExpanded = false

    convenience init(body: any BannerBody) {
        self.init(frame: .zero)
        self.body = body
        isAccessibilityElement = true
        accessibilityTraits = .button
        accessibilityIdentifier = Self.identifier
        addSubview(body)
    }

    override init(frame: CGRect) { super.init(frame: frame) }

    required init?(coder: NSCoder) { nil }

    #if os(Linux)  // There `UIView.init()` is `required`, as no Objective-C runtime looks it up.
        required convenience init() { self.init(frame: .zero) }
    #endif

    func display(_ content: BannerContent) {
        isExpanded = false
        accessibilityLabel = content.spoken
        body?.display(content)
    }

    /// Makes room for the banner's whole text.
    func expand() {
        isExpanded = true
        setNeedsLayout()
    }

    func height(width: CGFloat) -> CGFloat { body?.height(width: width, isExpanded: isExpanded) ?? 0 }

    override func layoutSubviews() {
        super.layoutSubviews()
        body?.frame = bounds
    }

    override func accessibilityPerformEscape() -> Bool {
        onTouch?(.escaped)
        return true
    }

    /// Reports VoiceOver's double tap as a tap.
    override func accessibilityActivate() -> Bool {
        onTouch?(.tapped)
        return true
    }

    override func accessibilityElementDidBecomeFocused() { onTouch?(.focused) }

    override func accessibilityElementDidLoseFocus() { onTouch?(.unfocused) }

    // MARK: Touches
    // No gesture recognisers: a finger put down must stop the banner's timer before a recogniser recognises anything.

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
