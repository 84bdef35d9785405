import CarillonCore
import Foundation

/// The state machine of the in-app banner: takes events and returns actions.
///
/// The machine is a value that opens no window and reads no clock. After every event, ``wakeAt`` says when to send
/// ``Event/timeIsUp``.
package struct BannerMachine: Sendable, Hashable {
    /// The events that reach the machine.
    package enum Event: Sendable, Hashable {
        case show(BannerContent)
        /// The banners with these ids must disappear, because their messages were recalled or read, or have expired.
        case withdraw(Set<String>)
        case sceneAppeared
        case sceneDisappeared
        /// iOS shows a notification of this app above the banner.
        case systemBannerAppeared
        /// The animation that brings the banner in has ended.
        case hasEntered
        /// The animation that takes the banner away has ended.
        case hasLeft
        case touched
        /// The finger has moved; the value is its distance since the touch in points, negative upwards.
        case dragged(translation: CGFloat)
        /// The person has lifted the finger.
        ///
        /// `translation` is the finger's distance since the touch and `height` the banner's height, both in points. `velocity` is
        /// the finger's speed in points a second. Negative values are upwards.
        case released(translation: CGFloat, velocity: CGFloat, height: CGFloat)
        case tapped
        /// The person has made VoiceOver's escape gesture, a two-finger scrub.
        case escaped
        /// VoiceOver's focus has moved to the banner.
        case focused
        /// VoiceOver's focus has left the banner.
        case unfocused
        /// The moment ``BannerMachine/wakeAt`` has come.
        case timeIsUp
    }

    /// The actions that the presenter carries out.
    package enum Action: Sendable, Hashable {
        /// Open the window and slide (or fade) the banner in.
        case enter(BannerContent)
        /// Show new texts in the visible banner.
        case update(BannerContent)
        /// Speak the text through VoiceOver, without moving its focus.
        case announce(String)
        /// Make VoiceOver move its focus to the app's screen, because the focused banner is gone.
        case returnFocus
        /// Stop all animations: a finger holds the banner.
        case hold
        /// Move the banner to this offset from its resting place, in points, without animation.
        case move(offset: CGFloat)
        /// Return the banner to its resting place, in ``BannerLimits/returnSeconds``.
        case settle
        /// Show the whole text of the banner.
        case expand
        /// Slide (or fade) the banner out.
        case leave
        /// Tell the app that the person has tapped the banner.
        case follow(BannerContent)
        /// Close the window: no banner is visible or waiting.
        case releaseWindow
    }

    private enum Phase: Sendable, Hashable {
        case idle
        case entering
        case resting(until: Timestamp)
        case held(remaining: Duration)
        case leaving
        case pausing(until: Timestamp)
    }

    var timing: BannerTiming
    /// Whether VoiceOver runs; set it before each event.
    package var isVoiceOverRunning = false
    /// The visible banner, including one that is entering or leaving; `nil` if there is none.
    package private(set) var current: BannerContent?
    private var phase = Phase.idle
    private var queue = BannerQueue()
    private var hasScene = false
    /// Whether VoiceOver's focus is on the banner; if so, the banner stays.
    private var isFocused = false
    /// The time until which a system notification covers the banner; `nil` if none does.
    private var coveredUntil: Timestamp?

    package init(timing: BannerTiming = BannerTiming()) { self.timing = timing }

    package var waitingCount: Int { queue.count }

    /// The time at which to send ``Event/timeIsUp``; `nil` if there is nothing to wait for.
    package var wakeAt: Timestamp? {
        switch phase {
        case .resting where isFocused: nil
        case .resting(let until), .pausing(let until): max(until, coveredUntil ?? until)
        case .idle: hasScene && !queue.isEmpty ? coveredUntil : nil
        case .entering, .held, .leaving: nil
        }
    }

    /// Processes an event.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - now: the present time, from the clock by which the caller waits for ``wakeAt``.
    /// - Returns: the actions to carry out, in this order.
    package mutating func received(_ event: Event, at now: Timestamp) -> [Action] {
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
        case .hasLeft: return releaseAfterLeaving(now)
        case .timeIsUp: return timeIsUp(now)
        case .touched: return touched(now)
        case .dragged(let translation): return dragged(translation)
        case .released(let translation, let velocity, let height):
            return released(
                BannerDragGesture.released(translation: translation, velocity: velocity, height: height), now)
        case .tapped:
            // The app's own code comes last, because it may show or withdraw a banner.
            return current.map { leave() + [.follow($0)] } ?? []
        case .escaped: return leave()
        case .focused:
            isFocused = phase != .leaving && current != nil
            return []
        case .unfocused:
            guard isFocused else { return [] }
            isFocused = false
            if case .resting = phase { phase = .resting(until: now + fullTime) }
            return []
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

    private mutating func releaseAfterLeaving(_ now: Timestamp) -> [Action] {
        guard phase == .leaving else { return [] }
        current = nil
        let focus: [Action] = isFocused ? [.returnFocus] : []
        isFocused = false
        if queue.isEmpty {
            phase = .idle
            return [.releaseWindow] + focus
        }
        phase = .pausing(until: now + timing.gap)
        return focus
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

    /// Closes the window, because its scene has disappeared.
    ///
    /// The visible banner returns to the queue, to be shown again in the next scene.
    private mutating func sceneDisappeared() -> [Action] {
        hasScene = false
        let unseen = phase == .leaving ? nil : current
        current = nil
        phase = .idle
        isFocused = false
        if let unseen { queue.add(unseen) }
        return [.releaseWindow]
    }

    /// Keeps the visible banner on screen for longer, because a system notification has appeared over it.
    ///
    /// The time for which the banner is covered does not count towards the banner's time on screen.
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
        return [.move(offset: BannerDragGesture.offset(translation: translation))]
    }

    private mutating func released(_ release: BannerDragGesture.Release, _ now: Timestamp) -> [Action] {
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
