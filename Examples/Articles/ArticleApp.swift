import Foundation
import UIKit
import UserNotifications

/// The apps of the five articles, also at steps between, an app for calls and one with a Live Activity. None uses Carillon.
///
/// They show what each recipe does by itself, and where it breaks.
public enum ArticleApp: String, CaseIterable, Sendable {
    case tutorial
    case tutorialRegistering = "tutorial-registering"
    case tutorialReceiving = "tutorial-receiving"
    case tutorialActing = "tutorial-acting"
    case deletable
    case listed
    case listedObjectiveC = "listed-objc"
    case tutorialUnentitled = "tutorial-unentitled"
    case deletableUnwoken = "deletable-unwoken"
    case expiryGuard = "expiry-guard"
    case expiryGuardForwarding = "guard-forwarding"
    case olderMethod = "older-method"
    case banner
    case bannerCovered = "banner-covered"
    case calls
    case match

    /// The name under the icon.
    public var name: String {
        switch self {
        case .tutorial: "Newscast"
        case .tutorialRegistering: "Newscast 1"
        case .tutorialReceiving: "Newscast 2"
        case .tutorialActing: "Newscast 3"
        case .deletable: "Deletable"
        case .listed: "As listed"
        case .listedObjectiveC: "Listed Obj-C"
        case .tutorialUnentitled: "No push"
        case .deletableUnwoken: "No mode"
        case .expiryGuard: "Guard"
        case .expiryGuardForwarding: "Guard + 1"
        case .olderMethod: "Older"
        case .banner: "Banner"
        case .bannerCovered: "Covered"
        case .calls: "Calls"
        case .match: "Match"
        }
    }

    /// A description in one sentence.
    public var about: String {
        switch self {
        case .tutorial: "the tutorial’s app: news, an action, a silent refresh, and what it prints"
        case .tutorialRegistering: "the tutorial’s app after its first step: a token, and nothing that handles a push"
        case .tutorialReceiving: "the tutorial’s app with its first fetch handler, which never answers"
        case .tutorialActing: "the tutorial’s app before its last step: View opens it, and nothing follows"
        case .tutorialUnentitled: "the tutorial’s app before Push Notifications is switched on: registering fails"
        case .deletable: "pushes with crt and dlt, with the article’s mistakes mended"
        case .deletableUnwoken: "pushes with crt and dlt, without the background mode: no silent push wakes it"
        case .listed: "pushes with crt and dlt, as listed in Swift: numbers for ids do nothing"
        case .listedObjectiveC: "pushes with crt and dlt, as listed in Objective-C: numbers for ids work"
        case .expiryGuard: "pushes with internalData and validUntil: what has expired is not shown"
        case .expiryGuardForwarding: "the guard with a second delegate, to which it hands other senders’ pushes"
        case .olderMethod: "the method of Apple’s page without a completion handler: heard in front only"
        case .banner: "a banner in a window of its own, for a push that comes while it is open"
        case .bannerCovered: "that banner in an app that lets iOS show its own too: a real push lies over it"
        case .match: "a match as a Live Activity: started by its button or by push, updated and ended by push"
        case .calls: "a VoIP push with a caller rings; with report false the app reports no call, and iOS ends it"
        }
    }

    /// The topic of its pushes.
    public var bundleID: String { "com.example.\(rawValue)" }

    /// Whether its App ID has push notifications; without them registering fails.
    public var takesPushes: Bool { self != .tutorialUnentitled }

    /// Whether it declares the background mode for silent pushes.
    public var isWoken: Bool {
        switch self {
        case .deletableUnwoken, .tutorialRegistering, .tutorialReceiving, .tutorialActing: false
        default: true
        }
    }

    /// Whether it declares the background mode for calls.
    public var takesCalls: Bool { self == .calls }

    /// Whether its Info.plist has `NSSupportsLiveActivities`.
    public var hasLiveActivities: Bool { self == .match }

    /// Makes the app's delegate, at each launch.
    ///
    /// - Parameter feed: the URL of the tutorial app's list of episodes.
    /// - Returns: the delegate.
    @MainActor public func makeDelegate(feed: URL) -> any UIApplicationDelegate {
        switch self {
        case .tutorial, .tutorialUnentitled: TutorialApp(feed: feed)
        case .tutorialRegistering: TutorialRegisteringApp(feed: feed)
        case .tutorialReceiving: TutorialReceivingApp(feed: feed, hasAction: false)
        case .tutorialActing: TutorialReceivingApp(feed: feed, hasAction: true)
        case .deletable, .deletableUnwoken: ArticleHost(DeletableApp(), of: self)
        case .listed: ArticleHost(ListedApp(), of: self)
        case .listedObjectiveC: ArticleHost(ListedObjectiveCApp(), of: self)
        case .expiryGuard: ArticleHost(ExpiryGuardApp(), of: self)
        case .expiryGuardForwarding: ArticleHost(ExpiryGuardApp(forwardsTo: SecondDelegate()), of: self)
        case .olderMethod: OlderArticleHost(OlderMethodApp(), of: self)
        case .banner: ArticleHost(BannerDemoApp(), of: self)
        case .bannerCovered: ArticleHost(BannerDemoApp(showsRealBanners: true), of: self)
        case .calls: ArticleHost(CallApp(), of: self)
        case .match: MatchApp()
        }
    }
}
