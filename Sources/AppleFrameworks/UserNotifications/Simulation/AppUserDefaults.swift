import Foundation
import _SystemFoundation

/// The `UserDefaults` of an app, in each module with a file that imports UserNotifications or UIKit.
///
/// `UserDefaults.standard` and `UserDefaults(suiteName:)` are the settings of the calling app on its phone, in files that are
/// deleted with the app. Each call of a method uses the settings of the app that makes the call, so an app may keep the object
/// in a static property. Outside any phone, `standard` is the machine's.
///
/// Differs from iOS: key-value observing and managed settings are not supported.
public final class AppUserDefaults: UserDefaults {
    // `nonisolated(unsafe)` is safe here: the object's own properties are `let`s, and Foundation allows calling it from any
    // thread.
    fileprivate nonisolated(unsafe) static let shared: AppUserDefaults = {
        guard let standard = AppUserDefaults(suite: nil) else {
            SimulatedDevices.stop("Foundation has no UserDefaults without a suite on this machine")
        }
        return standard
    }()

    private let suite: String?
    /// The settings of the app that made the object. They are used if the app that calls the object is unknown.
    ///
    /// The value is `nil` for the standard settings, and for an object that was made outside any phone.
    private let maker: AppPreferences?

    fileprivate init?(suite: String?) {
        self.suite = suite
        maker = suite == nil ? nil : SimulatedDevices.taskProcess?.preferences
        super.init(suiteName: nil)
    }

    private var preferences: AppPreferences? { SimulatedDevices.taskProcess?.preferences ?? maker }

    public override func object(forKey defaultName: String) -> Any? {
        guard let preferences else { return super.object(forKey: defaultName) }
        return preferences.file(suite).value(forKey: defaultName) ?? preferences.registered(defaultName)
    }

    public override func set(_ value: Any?, forKey defaultName: String) {
        guard let preferences else { return super.set(value, forKey: defaultName) }
        preferences.file(suite).set(value, forKey: defaultName)
        NotificationCenter.default.postInOrder(name: UserDefaults.didChangeNotification, object: self)
    }

    /// Returns a URL; `nil` if the key has no value that is a URL or a text.
    ///
    /// As on iOS, a web address is stored as an archive, and a text is read as a file path.
    public override func url(forKey defaultName: String) -> URL? {
        guard preferences != nil else { return super.url(forKey: defaultName) }
        if let archive = data(forKey: defaultName) {
            return (try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive)) as URL?
        }
        return string(forKey: defaultName).map { URL(fileURLWithPath: ($0 as NSString).expandingTildeInPath) }
    }

    public override func set(_ url: URL?, forKey defaultName: String) {
        guard preferences != nil else { return super.set(url, forKey: defaultName) }
        let archive = url.flatMap {
            try? NSKeyedArchiver.archivedData(withRootObject: $0 as NSURL, requiringSecureCoding: true)
        }
        set(archive as Any?, forKey: defaultName)
    }

    public override func removeObject(forKey defaultName: String) {
        guard preferences != nil else { return super.removeObject(forKey: defaultName) }
        set(nil as Any?, forKey: defaultName)
    }

    public override func register(defaults registrationDictionary: [String: Any]) {
        guard let preferences else { return super.register(defaults: registrationDictionary) }
        preferences.register(registrationDictionary)
    }

    public override func dictionaryRepresentation() -> [String: Any] {
        guard let preferences else { return super.dictionaryRepresentation() }
        return preferences.allRegistered.merging(preferences.file(suite).all) { $1 }
    }

    /// Does nothing, because every change has been written already.
    public override func synchronize() -> Bool { preferences == nil ? super.synchronize() : true }

    /// Returns the stored values of a domain; `nil` if there are none.
    ///
    /// - Parameter domainName: the app's bundle ID, or a suite's name.
    public override func persistentDomain(forName domainName: String) -> [String: Any]? {
        guard let preferences else { return super.persistentDomain(forName: domainName) }
        let all = preferences.file(preferences.allows(suite: domainName) ? domainName : nil).all
        return all.isEmpty ? nil : all
    }

    public override func setPersistentDomain(_ domain: [String: Any], forName domainName: String) {
        guard preferences != nil else { return super.setPersistentDomain(domain, forName: domainName) }
        replace(domainName, by: domain)
    }

    public override func removePersistentDomain(forName domainName: String) {
        guard preferences != nil else { return super.removePersistentDomain(forName: domainName) }
        replace(domainName, by: [:])
    }

    private func replace(_ domainName: String, by domain: [String: Any]) {
        guard let preferences else { return }
        let file = preferences.file(preferences.allows(suite: domainName) ? domainName : nil)
        for key in file.all.keys where domain[key] == nil { file.set(nil, forKey: key) }
        for (key, value) in domain { file.set(value, forKey: key) }
    }
}

/// A protocol whose extension lets a class's initializer return an object of a subclass. In Swift, only a protocol that is not
/// restricted to classes can have such an extension.
protocol MadeElsewhere {}

extension MadeElsewhere {
    fileprivate init?(made: () -> Self?) {
        guard let object = made() else { return nil }
        self = object
    }
}

extension UserDefaults: MadeElsewhere {}

extension UserDefaults {
    // Swift prefers this property to Foundation's, even in a file that imports Foundation by name, because `AppUserDefaults` is
    // more specific than `UserDefaults`.
    public class var standard: AppUserDefaults { AppUserDefaults.shared }

    /// Makes the settings of an App Group, or of another suite.
    ///
    /// Swift prefers this initializer to Foundation's because the name is not optional. Outside any phone, it calls
    /// Foundation's.
    ///
    /// - Returns: `nil` for the app's own bundle ID and for the global domain, as on iOS.
    public convenience init?(suiteName: String) {
        guard let process = SimulatedDevices.taskProcess else {
            self.init(suiteName: Optional(suiteName))
            return
        }
        self.init(made: {
            process.preferences.allows(suite: suiteName) ? AppUserDefaults(suite: suiteName) as? Self : nil
        })
    }
}
