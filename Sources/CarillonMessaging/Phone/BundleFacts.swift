import CarillonCore
import Foundation

#if os(Linux)  // There the simulated phone knows which app is running.
    @_spi(Simulation) import UserNotifications
#endif

/// The facts from the running app's bundle that the SDK needs.
package struct BundleFacts: Sendable, Hashable {
    /// `CFBundleIdentifier`, the app's APNs topic; `nil` for a program without a bundle.
    package var identifier: String?
    /// `CFBundleShortVersionString`, the app's version; `nil` if the bundle has none.
    package var version: String?
    /// The APNs environment of the device tokens that iOS gives this app; `nil` if it is unknown.
    package var environment: APNsEnvironment?

    package init(identifier: String?, version: String?, environment: APNsEnvironment?) {
        self.identifier = identifier
        self.version = version
        self.environment = environment
    }

    /// The facts of the running app, on a real or simulated phone.
    package static var current: BundleFacts {
        let bundle = Bundle.main
        var facts = BundleFacts(
            identifier: bundle.bundleIdentifier,
            version: bundle.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String, environment: nil)
        #if os(Linux)
            if let app = SimulatedDevices.currentProcess {
                facts.identifier = app.bundleIdentifier
                facts.environment = app.apsEnvironment.map { $0 == "development" ? .sandbox : .production }
            }
        #elseif os(iOS)
            #if targetEnvironment(simulator)
                facts.environment = .sandbox
            #else
                let profile = bundle.url(forResource: "embedded", withExtension: "mobileprovision")
                facts.environment = environment(ofProfile: profile.flatMap { try? Data(contentsOf: $0) })
            #endif
        #endif
        return facts
    }

    /// Returns the environment for which an app is signed.
    ///
    /// - Parameter profile: the provisioning profile in the app's bundle: a signed message around a property list. `nil` if there
    ///   is none, as in an app from the App Store.
    /// - Returns: `sandbox` if the profile's `aps-environment` is `development`, else `production`.
    package static func environment(ofProfile profile: Data?) -> APNsEnvironment {
        guard let profile, let begin = profile.range(of: Data("<plist".utf8)),
            let end = profile.range(of: Data("</plist>".utf8), in: begin.upperBound..<profile.endIndex),
            let list = try? PropertyListSerialization.propertyList(
                from: Data(profile[begin.lowerBound..<end.upperBound]), format: nil),
            let entitlements = (list as? [String: Any])?["Entitlements"] as? [String: Any]
        else { return .production }
        return entitlements["aps-environment"] as? String == "development" ? .sandbox : .production
    }
}
