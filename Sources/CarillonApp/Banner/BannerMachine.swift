import CarillonCore
import Foundation

/// What an in-app banner does, as a value: it is told what happened and answers with what to do. It opens no window
/// and knows no clock.
///
/// After every event, ``wakeAt`` says when it wants to be sent ``Event/timeIsUp``.
public struct BannerMachine: Sendable, Hashable {
    /// How long things last.
    public struct Timing: Sendable, Hashable {
        /// On the screen without being touched; 4 to 6 seconds are usual. The default is 6.
        public var onScreen = Duration.seconds(6)
        /// The same while VoiceOver runs: listening takes longer. The default is 10 seconds.
        public var onScreenWithVoiceOver = Duration.seconds(10)
        /// Between two banners. The default is half a second.
        public var gap = Duration.milliseconds(500)
        /// How long a banner of the system covers this one. The default is 6 seconds.
        public var systemBanner = Duration.seconds(6)

        public init() {}
    }

    public enum Event: Sendable, Hashable {
        case show(BannerContent)
        /// Recalled, read, or no longer true: never to be seen (again).
        case withdraw(Set<String>)
        case sceneAppeared
        case sceneDisappeared
        /// iOS shows a real notification of this app, above everything.
        case systemBannerAppeared
        case hasEntered
        case hasLeft
        case touched
        case dragged(translation: CGFloat)
        case released(translation: CGFloat, velocity: CGFloat, height: CGFloat)
        case tapped
        /// VoiceOver's two-finger scrub.
        case escaped
        case timeIsUp
    }

    public enum Action: Sendable, Hashable {
        /// Opens the window and slides (or fades) the banner in.
        case enter(BannerContent)
        /// New words in the banner that is shown.
        case update(BannerContent)
        /// Says it through VoiceOver, without taking the focus.
        case announce(String)
        /// Stops every motion where it is: a finger has it.
        case hold
        /// Puts the banner that far from where it rests, without animation.
        case move(offset: CGFloat)
        /// Back to where it rests, in a tenth of a second.
        case settle
        /// Shows the whole text.
        case expand
        case leave
        /// The person followed the banner.
        case follow(BannerContent)
        /// Nothing is shown and nothing waits: the window goes.
        case releaseWindow
    }

    enum Phase: Sendable, Hashable {
        case idle
        case entering
        case resting(until: Timestamp)
        case held(remaining: Duration)
        case leaving
        case pausing(until: Timestamp)
    }

    public var timing: Timing
    /// Whether VoiceOver runs, told before an event.
    public var isVoiceOverRunning = false
    public private(set) var current: BannerContent?
    private(set) var phase = Phase.idle
    private var queue = BannerQueue()
    private var hasScene = false
    private var coveredUntil: Timestamp?

    public init(timing: Timing = Timing()) { self.timing = timing }

    public var waitingCount: Int { queue.count }

    /// When to send ``Event/timeIsUp``; `nil` when there is nothing to wait for.
    public var wakeAt: Timestamp? {
        switch phase {
        case .resting(let until), .pausing(let until): max(until, coveredUntil ?? until)
        case .idle: hasScene && !queue.isEmpty ? coveredUntil : nil
        case .entering, .held, .leaving: nil
        }
    }

    public mutating func received(_ event: Event, at now: Timestamp) -> [Action] {
        if let end = coveredUntil, now >= end { coveredUntil = nil }
        switch event {
        case .show(let content): return show(content, now)
        case .withdraw(let ids): return withdraw(ids)
        case .sceneAppeared:
            hasScene = true
            return next(now)
        case .sceneDisappeared: return sceneDisappeared()
        case .systemBannerAppeared:
            cover(now)
            return []
        case .hasEntered:
            if phase == .entering { phase = .resting(until: now + fullTime) }
            return []
        case .hasLeft: return hasLeft(now)
        case .timeIsUp: return timeIsUp(now)
        case .touched: return touched(now)
        case .dragged(let translation): return dragged(translation)
        case .released(let translation, let velocity, let height):
            return released(BannerGeometry.released(translation: translation, velocity: velocity, height: height), now)
        case .tapped: return current.map { [.follow($0)] + leave() } ?? []
        case .escaped: return leave()
        }
    }
}

extension BannerMachine {
    private var fullTime: Duration { isVoiceOverRunning ? timing.onScreenWithVoiceOver : timing.onScreen }

    private mutating func show(_ content: BannerContent, _ now: Timestamp) -> [Action] {
        guard let current, current.id == content.id, phase != .leaving else {
            queue.add(content)
            return next(now)
        }
        self.current = content
        if case .resting = phase { phase = .resting(until: now + fullTime) }
        if case .held = phase { phase = .held(remaining: fullTime) }
        return [.update(content)] + announcement(content)
    }

    private mutating func next(_ now: Timestamp) -> [Action] {
        guard phase == .idle, hasScene, coveredUntil == nil, let content = queue.takeNext() else { return [] }
        current = content
        phase = .entering
        return [.enter(content)] + announcement(content)
    }

    private func announcement(_ content: BannerContent) -> [Action] {
        isVoiceOverRunning ? [.announce(content.spoken)] : []
    }

    private mutating func withdraw(_ ids: Set<String>) -> [Action] {
        queue.remove(ids)
        guard let current, ids.contains(current.id) else { return [] }
        return leave()
    }

    private mutating func leave() -> [Action] {
        guard current != nil, phase != .leaving else { return [] }
        phase = .leaving
        return [.leave]
    }

    private mutating func hasLeft(_ now: Timestamp) -> [Action] {
        guard phase == .leaving else { return [] }
        current = nil
        if queue.isEmpty {
            phase = .idle
            return [.releaseWindow]
        }
        phase = .pausing(until: now + timing.gap)
        return []
    }

    private mutating func timeIsUp(_ now: Timestamp) -> [Action] {
        guard let wakeAt, now >= wakeAt else { return phase == .idle ? next(now) : [] }
        switch phase {
        case .resting: return leave()
        case .pausing:
            phase = .idle
            let actions = next(now)
            return actions.isEmpty && queue.isEmpty ? [.releaseWindow] : actions
        case .idle: return next(now)
        case .entering, .held, .leaving: return []
        }
    }

    /// The scene takes its windows along; what was shown is shown again in the next one.
    private mutating func sceneDisappeared() -> [Action] {
        hasScene = false
        let unseen = phase == .leaving ? nil : current
        current = nil
        phase = .idle
        if let unseen { queue.add(unseen) }
        return [.releaseWindow]
    }

    /// What cannot be seen does not use up its time.
    private mutating func cover(_ now: Timestamp) {
        let end = now + timing.systemBanner
        let lost = end - max(now, coveredUntil ?? now)
        coveredUntil = end
        if case .resting(let until) = phase { phase = .resting(until: until + lost) }
    }

    private mutating func touched(_ now: Timestamp) -> [Action] {
        switch phase {
        case .entering: phase = .held(remaining: fullTime)
        case .resting(let until): phase = .held(remaining: until - now)
        case .idle, .held, .leaving, .pausing: return []
        }
        return [.hold]
    }

    private func dragged(_ translation: CGFloat) -> [Action] {
        guard case .held = phase else { return [] }
        return [.move(offset: BannerGeometry.offset(translation: translation))]
    }

    private mutating func released(_ release: BannerGeometry.Release, _ now: Timestamp) -> [Action] {
        guard case .held(let remaining) = phase else { return [] }
        switch release {
        case .dismiss: return leave()
        case .expand:
            phase = .resting(until: now + fullTime)
            return [.expand, .settle]
        case .settle:
            phase = .resting(until: now + max(remaining, .zero))
            return [.settle]
        }
    }
}
