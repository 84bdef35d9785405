import Foundation
import UIKit
import UserNotifications

/// The apps of the five articles, and an app for calls, for a simulated phone. None of them uses Carillon.
///
/// They show what each recipe does by itself, and where it breaks.
public enum ArticleApp: String, CaseIterable, Sendable {
    case tutorial
    case deletable
    case listed
    case listedObjectiveC = "listed-objc"
    case tutorialUnentitled = "tutorial-unentitled"
    case deletableUnwoken = "deletable-unwoken"
    case expiryGuard = "expiry-guard"
    case olderMethod = "older-method"
    case banner
    case calls

    /// The name under the icon.
    public var name: String {
        switch self {
        case .tutorial: "Newscast"
        case .deletable: "Deletable"
        case .listed: "As listed"
        case .listedObjectiveC: "Listed Obj-C"
        case .tutorialUnentitled: "No push"
        case .deletableUnwoken: "No mode"
        case .expiryGuard: "Guard"
        case .olderMethod: "Older"
        case .banner: "Banner"
        case .calls: "Calls"
        }
    }

    /// A description in one sentence.
    public var about: String {
        switch self {
        case .tutorial: "the tutorial’s app: news, an action, a silent refresh, and what it prints"
        case .tutorialUnentitled: "the tutorial’s app before Push Notifications is switched on: registering fails"
        case .deletable: "pushes with crt and dlt, with the article’s mistakes mended"
        case .deletableUnwoken: "pushes with crt and dlt, without the background mode: no silent push wakes it"
        case .listed: "pushes with crt and dlt, as listed in Swift: numbers for ids do nothing"
        case .listedObjectiveC: "pushes with crt and dlt, as listed in Objective-C: numbers for ids work"
        case .expiryGuard: "pushes with internalData and validUntil: what has expired is not shown"
        case .olderMethod: "the method of Apple’s page without a completion handler: heard in front only"
        case .banner: "a banner in a window of its own, for a push that comes while it is open"
        case .calls: "a VoIP push with a caller rings; with report false the app reports no call, and iOS ends it"
        }
    }

    /// The topic of its pushes.
    public var bundleID: String { "com.example.\(rawValue)" }

    /// Whether its App ID has push notifications; without them registering fails.
    public var takesPushes: Bool { self != .tutorialUnentitled }

    /// Whether it declares the background mode for silent pushes.
    public var isWoken: Bool { self != .deletableUnwoken }

    /// Whether it declares the background mode for calls.
    public var takesCalls: Bool { self == .calls }

    /// Makes the app's delegate, at each launch.
    ///
    /// - Parameter feed: the URL of the tutorial app's list of episodes.
    /// - Returns: the delegate.
    @MainActor public func makeDelegate(feed: URL) -> any UIApplicationDelegate {
        switch self {
        case .tutorial, .tutorialUnentitled: TutorialApp(feed: feed)
        case .deletable, .deletableUnwoken: ArticleHost(DeletableApp(), of: self)
        case .listed: ArticleHost(ListedApp(), of: self)
        case .listedObjectiveC: ArticleHost(ListedObjectiveCApp(), of: self)
        case .expiryGuard: ArticleHost(ExpiryGuardApp(), of: self)
        case .olderMethod: OlderArticleHost(OlderMethodApp(), of: self)
        case .banner: ArticleHost(BannerDemoApp(), of: self)
        case .calls: ArticleHost(CallApp(), of: self)
        }
    }
}
