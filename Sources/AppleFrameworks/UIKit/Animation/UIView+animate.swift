import Foundation
@_spi(Simulation) import UserNotifications

extension UIView {
    public struct AnimationOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let layoutSubviews = Self(rawValue: 1)
        /// Lets views receive touches during their animation; without this option they receive none.
        public static let allowUserInteraction = Self(rawValue: 2)
        public static let beginFromCurrentState = Self(rawValue: 4)
        public static let curveEaseInOut: Self = []
        public static let curveEaseIn = Self(rawValue: 1 << 16)
        public static let curveEaseOut = Self(rawValue: 2 << 16)
        public static let curveLinear = Self(rawValue: 3 << 16)
    }

    /// Animates the changes that a closure makes to views, by the phone's clock.
    ///
    /// The properties have their new values immediately; only the drawing follows gradually.
    ///
    /// Differs from iOS: only frames, transforms, alpha and the origin of bounds are animated; other properties change
    /// immediately, and nothing repeats or reverses.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval = 0, options: AnimationOptions = [],
        animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        let group = AnimationGroup(
            durationSeconds: duration, delaySeconds: delay, options: options, completion: completion)
        run(group, animations)
    }

    /// Animates the changes that a closure makes to views, with a spring's curve.
    ///
    /// Differs from iOS: the spring is drawn as an ease-out of equal duration.
    public class func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat, options: AnimationOptions = [], animations: () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        let group = AnimationGroup(
            durationSeconds: duration, delaySeconds: delay, options: options.union(.curveEaseOut),
            completion: completion)
        run(group, animations)
    }

    /// Animates changes with a spring's curve, as in iOS 17. Differs from iOS: the spring is drawn as an ease-out of equal
    /// duration.
    public class func animate(
        springDuration duration: TimeInterval = 0.5, bounce: CGFloat = 0, initialSpringVelocity: CGFloat = 0,
        delay: TimeInterval = 0, options: AnimationOptions = [], animations: () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animate(
            withDuration: duration, delay: delay, usingSpringWithDamping: 1 - bounce,
            initialSpringVelocity: initialSpringVelocity, options: options, animations: animations,
            completion: completion)
    }

    /// Whether animations are on; if not, `animate` changes values immediately.
    public class var areAnimationsEnabled: Bool { application?.areAnimationsEnabled ?? true }

    public class func setAnimationsEnabled(_ enabled: Bool) { application?.areAnimationsEnabled = enabled }

    /// The app whose code is running; `nil` outside any app.
    private static var application: UIApplication? {
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application
    }

    public class func performWithoutAnimation(_ actions: () -> Void) {
        let outer = currentGroup
        currentGroup = nil
        actions()
        currentGroup = outer
    }

    private class func run(_ group: AnimationGroup, _ animations: () -> Void) {
        let (outer, isAnimating) = (currentGroup, areAnimationsEnabled)
        currentGroup = isAnimating ? group : nil
        animations()
        currentGroup = outer
        let seconds = isAnimating ? group.durationSeconds + group.delaySeconds : 0
        guard seconds > 0, !group.isEmpty || group.delaySeconds > 0, let device = SimulatedDevices.current else {
            // The completion never runs before the call has returned, as on iOS.
            DispatchQueue.main.async { MainActor.assumeIsolated { group.finish(true) } }
            return
        }
        group.cancelTimer = device.schedule(after: seconds) { MainActor.assumeIsolated { group.finish(true) } }
    }

    private static var currentGroup: AnimationGroup?

    func animated(_ key: String, from old: CGRect, to new: CGRect) {
        if old != new {
            begin(key, from: .rectangle(presented(key, towards: .rectangle(old)).flatMap(\.rectangle) ?? old))
        }
        changed()
    }

    func animated(_ key: String, from old: CGFloat, to new: CGFloat) {
        if old != new { begin(key, from: .number(presented(key, towards: .number(old)).flatMap(\.number) ?? old)) }
        changed()
    }

    /// Whether the view takes no touches because an animation without `allowUserInteraction` is moving it.
    var isMovingPastTouches: Bool {
        animations.contains { !$0.value.options.contains(.allowUserInteraction) && presented($0.key) != nil }
    }

    private func begin(_ key: String, from value: AnimatedValue) {
        let interrupted = animations.removeValue(forKey: key)
        if let group = Self.currentGroup, let now = SimulatedDevices.current?.now {
            let start = now.timeIntervalSinceReferenceDate + group.delaySeconds
            animations[key] = RunningAnimation(
                start: start, durationSeconds: group.durationSeconds, options: group.options, from: value,
                group: group)
            group.add(self, key)
        }
        // The completion of an interrupted animation gets `false`, as on iOS.
        if let interrupted, interrupted.group !== animations[key]?.group { interrupted.group.finish(false) }
    }

    func finishAnimations(completed: Bool) {
        for (_, animation) in animations.sorted(by: { $0.key < $1.key }) { animation.group.finish(completed) }
    }

    /// Returns the currently drawn value of a property; `nil` if it is not being animated.
    ///
    /// - Parameter target: the end value for the interpolation; `nil`, the default, means the property's present value.
    func presented(_ key: String, towards target: AnimatedValue? = nil) -> AnimatedValue? {
        guard let animation = animations[key], let now = (window?.owner ?? SimulatedDevices.current)?.now else {
            return nil
        }
        let elapsed = now.timeIntervalSinceReferenceDate - animation.start
        guard animation.durationSeconds > 0, elapsed < animation.durationSeconds else { return nil }
        let progress = animation.options.eased(CGFloat(max(0, elapsed / animation.durationSeconds)))
        return animation.from.interpolated(to: target ?? self.target(of: key), progress)
    }

    private func target(of key: String) -> AnimatedValue {
        switch key {
        case "alpha": .number(alpha)
        case "origin": .rectangle(CGRect(origin: bounds.origin, size: .zero))
        default: .rectangle(frame)
        }
    }
}

extension UIView.AnimationOptions {
    /// Returns the value of the animation curve in these options, 0…1.
    ///
    /// - Parameter progress: the elapsed part of the animation's duration, 0…1.
    func eased(_ progress: CGFloat) -> CGFloat {
        switch rawValue >> 16 & 3 {
        case 1: progress * progress
        case 2: 1 - (1 - progress) * (1 - progress)
        case 3: progress
        default: progress * progress * (3 - 2 * progress)
        }
    }
}

extension AnimatedValue {
    var number: CGFloat? { if case .number(let value) = self { value } else { nil } }
    var rectangle: CGRect? { if case .rectangle(let value) = self { value } else { nil } }

    func interpolated(to target: AnimatedValue, _ progress: CGFloat) -> AnimatedValue {
        func between(_ a: CGFloat, _ b: CGFloat) -> CGFloat { a + (b - a) * progress }
        switch (self, target) {
        case (.number(let a), .number(let b)): return .number(between(a, b))
        case (.rectangle(let a), .rectangle(let b)):
            return .rectangle(
                CGRect(
                    x: between(a.minX, b.minX), y: between(a.minY, b.minY), width: between(a.width, b.width),
                    height: between(a.height, b.height)))
        default: return target
        }
    }
}
