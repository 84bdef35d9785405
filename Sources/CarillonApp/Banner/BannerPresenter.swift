import CarillonCore
import Foundation
import UIKit

/// Shows in-app banners: notifications of the app's own, inside the app, whether or not the person allows real ones.
///
/// Usable alone. Make one and keep it (the app delegate is a good place); call ``show(_:)`` from anywhere; forward the
/// scene's (or the app's) becoming active and leaving. The decisions are ``BannerMachine``'s.
@MainActor
public final class BannerPresenter {
    /// The person tapped the banner.
    public var onFollow: ((BannerContent) -> Void)?

    /// Makes what is to be seen of a banner. The default is a ``BannerCard``.
    public var makeBody: (BannerContent) -> any BannerBody

    private let application: UIApplication
    private let clock: any CarillonClock
    private let surroundings: BannerSurroundings
    private var machine: BannerMachine
    private var window: BannerWindow?
    private var banner: BannerView?
    private var timer: ScheduledAction?
    /// Tells the end of the newest motion from that of an interrupted one.
    private var motionNumber = 0

    /// - Parameters:
    ///   - application: `UIApplication.shared`.
    ///   - clock: ``AppPlatform/clock``.
    ///   - surroundings: `.system`.
    public init(
        application: UIApplication, clock: any CarillonClock, surroundings: BannerSurroundings,
        timing: BannerMachine.Timing = .init()
    ) {
        self.application = application
        self.clock = clock
        self.surroundings = surroundings
        makeBody = { _ in BannerCard(surroundings: surroundings) }
        machine = BannerMachine(timing: timing)
    }

    /// The banner that is on the screen.
    public var current: BannerContent? { machine.current }

    /// Where it is on the screen; `nil` when there is none.
    public var frame: CGRect? { banner?.frame }

    /// Shows the banner when its turn has come and a scene is in the foreground.
    public func show(_ content: BannerContent) {
        tell(.show(content))
    }

    /// Takes banners away, shown or waiting.
    public func withdraw(_ ids: [String]) { tell(.withdraw(Set(ids))) }

    /// A real notification of this app is shown by iOS, above the banner: it waits. To be called from `willPresent`.
    public func systemBannerAppeared() { tell(.systemBannerAppeared) }

    /// To be called from `applicationDidBecomeActive` or `sceneDidBecomeActive`.
    public func didBecomeActive() {
        if application.applicationState != .background { tell(.sceneAppeared) }
    }

    /// To be called from `applicationDidEnterBackground` or `sceneDidEnterBackground`.
    public func didEnterBackground() { tell(.sceneDisappeared) }

    // MARK: The machine

    private func tell(_ event: BannerMachine.Event) {
        machine.isVoiceOverRunning = surroundings.isVoiceOverRunning()
        for action in machine.received(event, at: clock.now) { act(action) }
        timer?.cancel()
        timer = machine.wakeAt.map { moment in
            clock.schedule(at: moment) { [weak self] in onMainThread { self?.tell(.timeIsUp) } }
        }
    }

    private func act(_ action: BannerMachine.Action) {
        switch action {
        case .enter(let content): enter(content)
        case .update(let content):
            banner?.display(content)
            place(offset: 0)
        case .announce(let text): surroundings.announce(text)
        case .hold:
            motionNumber += 1
            banner?.layer.removeAllAnimations()
            place(offset: 0)
        case .move(let offset): place(offset: offset)
        case .settle: move(seconds: 0.1, options: [.curveEaseOut, .allowUserInteraction]) { self.place(offset: 0) }
        case .expand: banner?.expand()
        case .leave: leave()
        case .follow(let content): onFollow?(content)
        case .releaseWindow: releaseWindow()
        }
    }

    // MARK: The window

    private var foregroundScene: UIWindowScene? {
        let scenes = application.connectedScenes.compactMap { $0 as? UIWindowScene }
        return scenes.first { $0.activationState == .foregroundActive || $0.activationState == .foregroundInactive }
    }

    /// In the scene that is in front; an app without scenes has one screen.
    private func newWindow() -> BannerWindow {
        foregroundScene.map { BannerWindow(windowScene: $0) } ?? BannerWindow(frame: UIScreen.main.bounds)
    }

    private func enter(_ content: BannerContent) {
        let window = self.window ?? newWindow()
        let banner = BannerView(body: makeBody(content))
        banner.onTouch = { [weak self] in self?.tell($0) }
        banner.display(content)
        let root = window.rootViewController ?? UIViewController()
        window.rootViewController = root  // without one, iOS does not rotate the window
        window.windowLevel = .alert
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
        move(seconds: 0.3, options: [.curveEaseOut, .allowUserInteraction]) {
            self.place(offset: 0)
            banner.alpha = 1
        } then: {
            self.tell(.hasEntered)
        }
    }

    private func leave() {
        let fades = surroundings.reducesMotion()
        move(seconds: 0.3, options: [.curveEaseInOut]) {
            if fades { self.banner?.alpha = 0 } else { self.place(offset: self.hiddenOffset) }
        } then: {
            self.banner?.removeFromSuperview()
            self.banner = nil
            self.tell(.hasLeft)
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
        if let banner, banner.frame.width != geometry.width { place(offset: 0) }
    }

    private var geometry: BannerGeometry {
        let insets = window?.safeAreaInsets ?? .zero
        return BannerGeometry(
            windowSize: window?.bounds.size ?? .zero, safeAreaTop: insets.top,
            safeAreaSides: max(insets.left, insets.right))
    }

    private var hiddenOffset: CGFloat { geometry.hiddenY(height: banner?.bounds.height ?? 0) - geometry.restingY }

    private func place(offset: CGFloat) {
        guard let banner else { return }
        let height = banner.height(width: geometry.width)
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
