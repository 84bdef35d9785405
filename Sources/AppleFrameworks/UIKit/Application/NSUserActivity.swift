import Foundation
@_spi(Simulation) import UserNotifications

/// The activity type of a universal link.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// An activity of the person in an app, such as a web page behind a universal link or work begun on another device.
/// [NSUserActivity](https://developer.apple.com/documentation/foundation/nsuseractivity)
///
/// Differs from iOS: the class is part of UIKit, because Foundation on Linux lacks it; continuation streams, Spotlight and Siri
/// are not supported.
open class NSUserActivity: NSObject {
    // `@unchecked`: as on iOS, one thread fills in the activity and then passes it on.
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var requiredUserInfoKeys: Set<String>?
    /// The web page, an http or https URL, on which a browser can continue the activity.
    open var webpageURL: URL? { didSet { Self.checkScheme(webpageURL) } }
    /// The page that contained the link to ``webpageURL``.
    open var referrerURL: URL?
    open var expirationDate: Date?
    open var keywords: Set<String> = []
    open var persistentIdentifier: String?
    /// The identifier of the activity's content; the system uses it to choose a scene.
    open var targetContentIdentifier: String?
    open var isEligibleForHandoff = true
    open var isEligibleForSearch = false
    open var isEligibleForPublicIndexing = false
    open var isEligibleForPrediction = false
    /// Whether ``delegate`` must update the activity before it goes to another device.
    open var needsSave = false
    open weak var delegate: (any NSUserActivityDelegate)?
    /// The `INInteraction` that opens the app; the module Intents publishes this object as `interaction`.
    @_spi(Simulation) public var interactionObject: NSObject?

    /// Makes an activity, which is not current yet.
    ///
    /// - Parameter activityType: the type in reverse-domain style; an empty type ends the app, as on iOS.
    public init(activityType: String) {
        if activityType.isEmpty { SimulatedDevices.hasMade(mistake: "activityWithoutType", "an empty text") }
        self.activityType = activityType
        super.init()
    }

    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
    }

    /// Makes this the person's current activity, which is offered to other devices.
    open func becomeCurrent() { Self.process?.offer(self) }

    /// Withdraws the activity for now, because the person is doing something else.
    open func resignCurrent() { Self.process?.withdraw(self) }

    /// Ends the activity: it cannot become current again, and its delegate is no longer called.
    open func invalidate() {
        delegate = nil
        resignCurrent()
    }

    /// Returns a copy of the activity as it reaches another device or a later launch.
    @_spi(Simulation) public func duplicate() -> NSUserActivity {
        let copy = NSUserActivity(activityType: activityType)
        copy.title = title
        copy.userInfo = userInfo
        copy.requiredUserInfoKeys = requiredUserInfoKeys
        copy.webpageURL = webpageURL
        copy.referrerURL = referrerURL
        copy.expirationDate = expirationDate
        copy.keywords = keywords
        copy.persistentIdentifier = persistentIdentifier
        copy.targetContentIdentifier = targetContentIdentifier
        copy.isEligibleForHandoff = isEligibleForHandoff
        copy.isEligibleForSearch = isEligibleForSearch
        copy.isEligibleForPublicIndexing = isEligibleForPublicIndexing
        copy.isEligibleForPrediction = isEligibleForPrediction
        copy.interactionObject = interactionObject
        return copy
    }

    private static var process: (any SimulatedAppProcess)? {
        SimulatedDevices.currentProcess as? any SimulatedAppProcess
    }

    private static func checkScheme(_ url: URL?) {
        guard let url, !["http", "https"].contains(url.scheme?.lowercased() ?? "") else { return }
        SimulatedDevices.hasMade(mistake: "webpageScheme", url.absoluteString)
    }
}

/// The methods that tell a delegate that an activity goes to another device. Every method is optional.
public protocol NSUserActivityDelegate: NSObjectProtocol {
    /// Called before the activity is saved: the last chance to update it.
    func userActivityWillSave(_ userActivity: NSUserActivity)
    func userActivityWasContinued(_ userActivity: NSUserActivity)
}

extension NSUserActivityDelegate {
    public func userActivityWillSave(_ userActivity: NSUserActivity) {}
    public func userActivityWasContinued(_ userActivity: NSUserActivity) {}
}

/// An object that can restore the state of an activity.
/// [UIUserActivityRestoring](https://developer.apple.com/documentation/uikit/uiuseractivityrestoring)
@MainActor @preconcurrency public protocol UIUserActivityRestoring: NSObjectProtocol {
    /// Restores the state; called on each object that the app's delegate passed to its restoration handler.
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

extension UIResponder: UIUserActivityRestoring {}
