import CarillonCore
import Foundation

extension Phone {
    /// The Live Activities on the lock screen, with the person's actions and switches.
    public var activities: PhoneActivities { PhoneActivities(phone: self) }
}

/// The Live Activities on a simulated phone, with the person's actions and switches.
@MainActor public struct PhoneActivities {
    let phone: Phone

    /// Returns the Live Activities of an app on the lock screen, the most relevant first; of equal ones the newest first.
    public func shown(of bundleID: String) -> [LiveActivity] {
        guard let app = phone.apps[bundleID] else { return [] }
        let ranked = phone.liveActivities.activities(of: app).enumerated().sorted { one, other in
            one.element.relevanceScore == other.element.relevanceScore
                ? one.offset > other.offset : one.element.relevanceScore > other.element.relevanceScore
        }
        return ranked.map(\.element)
    }

    /// Returns the token with which a push starts a Live Activity of the app.
    ///
    /// - Returns: `nil` if the app has not asked for a token, or the phone has not fetched it yet.
    public func startToken(of bundleID: String) -> Data? {
        phone.apps[bundleID].flatMap(phone.liveActivities.startToken)
    }

    /// Removes a Live Activity from the lock screen, as the person does by swiping.
    ///
    /// The app learns that the Live Activity was dismissed, and its token becomes invalid.
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or (`noActivity`) if the app has no such Live Activity.
    public func dismiss(_ id: String, of bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.dismissActivity(id, app: bundleID)) { () throws(PhoneError) -> Void in
            let app = try phone.apps.installed(bundleID)
            try phone.device.checkPoweredOn()
            guard phone.liveActivities.activities(of: app).contains(where: { $0.id == id }) else {
                throw PhoneError(.noActivity, "\(bundleID) has no Live Activity \(id) on the lock screen.")
            }
            phone.liveActivities.dismiss(id, of: app)
        }
    }

    // MARK: switches

    /// Returns whether the person allows the app's Live Activities; see ``set(_:for:)``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func areOn(for bundleID: String) throws(PhoneError) -> Bool {
        phone.device.settings(of: try phone.apps.installed(bundleID)).areLiveActivitiesOn
    }

    /// Sets Settings → the app → Live Activities.
    ///
    /// A change removes the app's Live Activities. The default is on: iOS does not ask the person.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func set(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setLiveActivities(isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            try change(of: bundleID, \.areLiveActivitiesOn, to: isOn)
        }
    }

    /// Returns whether the person allows frequent updates of the app's Live Activities; see ``setFrequentUpdates(_:for:)``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func areFrequentUpdatesOn(for bundleID: String) throws(PhoneError) -> Bool {
        phone.device.settings(of: try phone.apps.installed(bundleID)).areFrequentUpdatesOn
    }

    /// Sets Settings → the app → Live Activities → More Frequent Updates.
    ///
    /// A change removes the app's Live Activities. The default is on. The switch counts for apps with
    /// ``AppBundle/supportsFrequentLiveActivityUpdates``.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setFrequentUpdates(_ isOn: Bool, for bundleID: String) throws(PhoneError) {
        try phone.kernel.doingAtOnce(.setFrequentUpdates(isOn, app: bundleID)) { () throws(PhoneError) -> Void in
            try change(of: bundleID, \.areFrequentUpdatesOn, to: isOn)
        }
    }

    private func change(
        of bundleID: String, _ setting: WritableKeyPath<DeviceState.AppSettings, Bool>, to isOn: Bool
    ) throws(PhoneError) {
        let app = try phone.apps.installed(bundleID)
        guard phone.device.settings(of: app)[keyPath: setting] != isOn else { return }
        phone.device.changeSettings(of: app) { $0[keyPath: setting] = isOn }
        phone.liveActivities.settingsChanged(of: app)
    }
}
