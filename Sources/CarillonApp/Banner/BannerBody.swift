import Foundation
import UIKit

/// What is to be seen of a banner: the SDK's ``BannerCard``, or a view of the app's own, which
/// ``BannerPresenter/makeBody`` makes. Window, motion, gestures, timer and VoiceOver stay the presenter's.
@MainActor
public protocol BannerBody: UIView {
    /// Shows the words; called again when a banner with the same id takes the place of the shown one.
    func display(_ content: BannerContent)

    /// The room that is needed at that width, in points.
    ///
    /// - Parameter isExpanded: whether the person has pulled it open; then the whole text should be there.
    func height(width: CGFloat, isExpanded: Bool) -> CGFloat
}
