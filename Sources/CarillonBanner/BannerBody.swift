import Foundation
import UIKit

/// The visible part of an in-app banner: the SDK's own card, or a view of the app's own.
///
/// ``BannerPresenter/makeBody`` makes it. Window, motion, gestures, timer and VoiceOver remain the presenter's.
@MainActor
public protocol BannerBody: UIView {
    /// Shows the texts.
    ///
    /// Called before the banner appears, and again when a banner with the same id replaces the visible one.
    ///
    /// - Parameter content: what the banner says.
    func display(_ content: BannerContent)

    /// The height that the view needs, in points.
    ///
    /// - Parameters:
    ///   - width: the width that the banner will have, in points.
    ///   - isExpanded: whether the person has pulled the banner open; then the whole text should be visible.
    /// - Returns: the height of the whole banner, in points.
    func height(width: CGFloat, isExpanded: Bool) -> CGFloat
}
