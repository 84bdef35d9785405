import CarillonApp
import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

/// The presenter of in-app banners: notifications inside the app, with or without the person's permission for notifications.
///
/// The presenter works without the rest of the SDK. Make one presenter, keep it (for instance in the app delegate), and call
/// ``show(_:)`` on the main thread. The presenter itself observes when the app or its scene becomes active or enters the
/// background.
@MainActor
public final class BannerPresenter {
    /// Called with the banner that the person taps.
    ///
    /// The presenter also removes the banner. The default does nothing.
    public var onFollow: ((BannerContent) -> Void)?

    /// Makes the view of each new banner.
    ///
    /// The default returns the SDK's own view. A banner that replaces the visible one reuses the visible one's view.
    public var makeBody: (BannerContent) -> any BannerBody

    private let application: UIApplication
    private let scenes: BannerScenes
    private let clock: any CarillonClock
    private let surroundings: BannerSurroundings
    private var machine: BannerMachine
    private var lifeCycle: LifeCycleObserver?
    private var window: BannerWindow?
    private var banner: BannerView?
    /// The geometry of the last layout; `nil` before the first layout.
    ///
    /// The presenter compares it with the current geometry, because the safe area may change later than the size, for example
    /// during a phone call.
    private var placed: BannerGeometry?
    private var timer: ScheduledAction?
    /// The number of the newest animation, so that the end of an interrupted animation is ignored.
    private var motionNumber = 0

    /// The level of the banner's window among the app's own windows.
    ///
    /// The default is `.alert`, above the status bar. If your app shows its lock screen in a window of its own, choose a level
    /// below the level of that window.
    public var windowLevel = UIWindow.Level.alert

    /// The time for which a banner stays on screen if the person does not touch it.
    ///
    /// The default is 6 seconds; iOS shows its own banners for 4 to 6 seconds.
    public var timeOnScreen: Duration {
        get { machine.timing.onScreen }
        set { machine.timing.onScreen = newValue }
    }

    /// The time for which a banner stays on screen while VoiceOver runs: listening takes longer than reading.
    ///
    /// The default is 10 seconds. While VoiceOver's focus is on a banner, the banner stays; the time begins anew when the focus
    /// leaves.
    public var timeOnScreenWithVoiceOver: Duration {
        get { machine.timing.onScreenWithVoiceOver }
        set { machine.timing.onScreenWithVoiceOver = newValue }
    }

    /// Makes a presenter that shows nothing yet.
    ///
    /// - Parameter application: `UIApplication.shared`. The banner's window opens in the scene that the person uses.
    public convenience init(application: UIApplication) {
        self.init(
            application: application, clock: AppPlatform.current(appGroup: nil).clock, surroundings: .system)
    }

    package init(application: UIApplication, clock: any CarillonClock, surroundings: BannerSurroundings) {
        self.application = application
        scenes = BannerScenes(application)
        self.clock = clock
        self.surroundings = surroundings
        makeBody = { _ in BannerCard(surroundings: surroundings) }
        machine = BannerMachine()
        lifeCycle = LifeCycleObserver(application, [.didBecomeActive, .didEnterBackground]) { [weak self] in
            self?.heard($0)
        }
        // The presenter may be made when the app is already in the foreground.
        if application.applicationState == .active { send(.sceneAppeared) }
    }

    /// The visible banner; `nil` when there is none.
    public var current: BannerContent? { machine.current }

    /// The visible banner's frame in its window, in points; `nil` if there is none.
    public var frame: CGRect? { banner?.frame }

    /// Shows a banner as soon as no other is visible and a scene is in the foreground.
    ///
    /// At most 20 banners wait; beyond that, the presenter drops the newest of the least urgent banners.
    ///
    /// - Parameter content: the banner's content. The banner replaces a waiting or visible banner with the same id.
    public func show(_ content: BannerContent) {
        send(.show(content))
    }

    /// Removes visible and waiting banners.
    ///
    /// Call it from `Carillon/onRemoval` with the identifiers of the removed messages.
    ///
    /// - Parameter ids: the banners' ids; unknown ones are ignored.
    public func withdraw(_ ids: [String]) { send(.withdraw(Set(ids))) }

    /// Pauses the visible banner's time while iOS shows a notification of this app above it.
    ///
    /// Call it from `willPresent` if your answer contains `.banner`.
    public func systemBannerAppeared() { send(.systemBannerAppeared) }

    // MARK: The app's life

    private func heard(_ event: LifeCycleObserver.Event) {
        switch event {
        case .didBecomeActive:
            if scenes.hasPlace { send(.sceneAppeared) }
        case .didEnterBackground:
            let own = window?.windowScene
            if !scenes.hasPlace || own.map(BannerScenes.isInFront) == false { send(.sceneDisappeared) }
            // On an iPad another window of the app may still be in the foreground; the banner then continues there.
            if scenes.hasPlace { send(.sceneAppeared) }
        case .willEnterForeground, .filesBecameReadable: break
        }
    }

    // MARK: The machine

    private func send(_ event: BannerMachine.Event) {
        machine.isVoiceOverRunning = surroundings.isVoiceOverRunning()
        for action in machine.received(event, at: now) { act(action) }
        timer?.cancel()
        timer = machine.wakeAt.map { moment in
            clock.schedule(after: moment - now) { [weak self] in onMainThread { self?.send(.timeIsUp) } }
        }
    }

    /// The current time, made from the clock's uptime so that setting the phone's clock does not change a banner's duration.
    private var now: Timestamp { Timestamp(millisecondsSince1970: 0) + clock.uptime }

    private func act(_ action: BannerMachine.Action) {
        switch action {
        case .enter(let content): enter(content)
        case .update(let content):
            banner?.display(content)
            place(offset: 0)
        case .announce(let text): surroundings.announce(text)
        case .returnFocus: surroundings.returnFocus()
        case .hold:
            motionNumber += 1
            banner?.layer.removeAllAnimations()
            place(offset: 0)
        case .move(let offset): place(offset: offset)
        case .settle:
            move(seconds: BannerLimits.returnSeconds, options: [.curveEaseOut, .allowUserInteraction]) {
                self.place(offset: 0)
            }
        case .expand: banner?.expand()
        case .leave: leave()
        case .follow(let content): onFollow?(content)
        case .releaseWindow: releaseWindow()
        }
    }

    // MARK: The window

    /// Returns the banner's window in `scene`, or on the main screen if the app has no scenes.
    private func openWindow(in scene: UIWindowScene?) -> BannerWindow {
        if let window, window.windowScene === scene { return window }
        window?.isHidden = true
        return scene.map { BannerWindow(windowScene: $0) } ?? BannerWindow(frame: UIScreen.main.bounds)
    }

    private func enter(_ content: BannerContent) {
        let scene = scenes.current
        let window = openWindow(in: scene)
        let banner = BannerView(body: makeBody(content))
        banner.onTouch = { [weak self] in self?.send($0) }
        banner.display(content)
        let root = window.rootViewController as? BannerController ?? BannerController()
        let appWindows = scene?.windows.filter { !($0 is BannerWindow) && !$0.isHidden } ?? []
        root.appWindow = appWindows.first { $0.isKeyWindow } ?? appWindows.first
        window.overrideUserInterfaceStyle = root.appWindow?.overrideUserInterfaceStyle ?? .unspecified
        window.rootViewController = root  // without one, iOS does not rotate the window
        window.windowLevel = windowLevel
        window.backgroundColor = .clear
        window.banner = banner
        root.view.backgroundColor = .clear
        root.view.addSubview(banner)
        window.isHidden = false  // shown without becoming key: the keyboard stays where it is
        window.onLayout = { [weak self] in self?.windowWasLaidOut() }
        self.window = window
        self.banner = banner
        place(offset: 0)
        if !surroundings.reducesMotion() { place(offset: hiddenOffset) }
        banner.alpha = surroundings.reducesMotion() ? 0 : 1
        move(seconds: BannerLimits.transitionSeconds, options: [.curveEaseOut, .allowUserInteraction]) {
            self.place(offset: 0)
            banner.alpha = 1
        } then: {
            self.send(.hasEntered)
        }
    }

    private func leave() {
        let fades = surroundings.reducesMotion()
        move(seconds: BannerLimits.transitionSeconds, options: [.curveEaseInOut]) {
            if fades { self.banner?.alpha = 0 } else { self.place(offset: self.hiddenOffset) }
        } then: {
            self.banner?.removeFromSuperview()
            self.banner = nil
            self.send(.hasLeft)
        }
    }

    private func releaseWindow() {
        motionNumber += 1
        banner?.removeFromSuperview()
        banner = nil
        window?.isHidden = true
        window = nil
    }

    private func windowWasLaidOut() {
        if banner != nil, geometry != placed { place(offset: 0) }
    }

    private var geometry: BannerGeometry {
        let insets = window?.safeAreaInsets ?? .zero
        return BannerGeometry(
            windowSize: window?.bounds.size ?? .zero, safeAreaTop: insets.top,
            safeAreaSides: max(insets.left, insets.right), safeAreaBottom: insets.bottom)
    }

    private var hiddenOffset: CGFloat { geometry.hiddenY(height: banner?.bounds.height ?? 0) - geometry.restingY }

    private func place(offset: CGFloat) {
        guard let banner else { return }
        placed = geometry
        let height = min(banner.height(width: geometry.width), geometry.heightLimit)
        let y = offset == 0 ? geometry.restingY : geometry.restingY + offset
        banner.frame = geometry.frame(height: height, y: y)
    }

    private func move(
        seconds: TimeInterval, options: UIView.AnimationOptions, _ motion: @escaping () -> Void,
        then end: (() -> Void)? = nil
    ) {
        motionNumber += 1
        let number = motionNumber
        UIView.animate(withDuration: seconds, delay: 0, options: options, animations: motion) { [weak self] _ in
            guard self?.motionNumber == number else { return }
            end?()
        }
    }
}
