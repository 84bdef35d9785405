import Foundation

/// What a finger that drags a banner does to it: how far the banner follows, and whether it is dismissed or expanded when
/// the finger lets go.
///
/// All lengths are points; negative is up.
package enum BannerDragGesture {
    /// The upward speed, in points a second, beyond which a gesture is a flick that dismisses the banner.
    static let flickSpeed: CGFloat = 750
    /// Dragged up by more than this, or by a third of its height if that is less, the banner is dismissed.
    static let dismissDistance: CGFloat = 75
    /// Pulled down by more than this, measured at the finger, the banner expands.
    static let expandDistance: CGFloat = 60

    /// What becomes of a banner when the finger lets it go.
    package enum Release: Sendable, Hashable {
        case dismiss
        case expand
        /// Back to where it rests.
        case settle
    }

    /// How far the banner follows a finger: all the way up, and down with growing resistance, |y|^0.7.
    package static func offset(translation: CGFloat) -> CGFloat {
        translation <= 0 ? translation : pow(translation, 0.7)
    }

    /// What letting go means.
    ///
    /// - Parameters:
    ///   - translation: how far the finger has moved since it touched the banner.
    ///   - velocity: points a second.
    ///   - height: the banner's.
    /// - Returns: what becomes of the banner.
    package static func released(translation: CGFloat, velocity: CGFloat, height: CGFloat) -> Release {
        if velocity < -flickSpeed { return .dismiss }
        if -translation > min(dismissDistance, height * 0.33) { return .dismiss }
        return translation > expandDistance ? .expand : .settle
    }
}
