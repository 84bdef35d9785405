import Foundation

/// The animation of one property from one value to another, by the phone's clock.
struct RunningAnimation {
    /// The start of the animation, in seconds by the phone's clock.
    let start: TimeInterval
    let durationSeconds: TimeInterval
    let options: UIView.AnimationOptions
    let from: AnimatedValue
    let group: AnimationGroup
}

/// A value that can be animated.
enum AnimatedValue: Equatable {
    case number(CGFloat)
    case rectangle(CGRect)
}

/// The animations of one call of `UIView.animate`; they end together, and then the call's completion handler runs.
@MainActor final class AnimationGroup {
    let durationSeconds: TimeInterval
    let delaySeconds: TimeInterval
    let options: UIView.AnimationOptions
    private var completion: ((Bool) -> Void)?
    var cancelTimer: (@Sendable () -> Void)?
    private var views: [(view: UIView, key: String)] = []

    init(
        durationSeconds: TimeInterval, delaySeconds: TimeInterval, options: UIView.AnimationOptions,
        completion: ((Bool) -> Void)?
    ) {
        self.durationSeconds = durationSeconds
        self.delaySeconds = delaySeconds
        self.options = options
        self.completion = completion
    }

    var isEmpty: Bool { views.isEmpty }

    func add(_ view: UIView, _ key: String) { views.append((view, key)) }

    func finish(_ completed: Bool) {
        cancelTimer?()
        cancelTimer = nil
        for (view, key) in views where view.animations[key]?.group === self { view.animations[key] = nil }
        // Redraws the views, because their final positions must be drawn too.
        for (view, _) in views { view.changed() }
        views = []
        let call = completion
        completion = nil
        call?(completed)
    }
}
