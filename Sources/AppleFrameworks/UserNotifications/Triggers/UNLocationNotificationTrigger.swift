import CoreLocation
import Foundation

/// A trigger that fires when the phone enters or leaves a region.
/// [UNLocationNotificationTrigger](https://developer.apple.com/documentation/usernotifications/unlocationnotificationtrigger)
///
/// The app needs the person's permission to use the location while the app is in use.
open class UNLocationNotificationTrigger: UNNotificationTrigger {
    // `@unchecked`: immutable; the region is a private copy.
    private let storedRegion: CLRegion

    /// The region, as a copy: changing it has no effect.
    open var region: CLRegion { storedRegion.copy() as? CLRegion ?? storedRegion }

    public init(region: CLRegion, repeats: Bool) {
        storedRegion = region.copy() as? CLRegion ?? region
        super.init(repeats: repeats)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
            && (object as? UNLocationNotificationTrigger)?.storedRegion.isEqual(storedRegion) ?? false
    }

    open override var hash: Int { storedRegion.hash }

    public required init?(coder: NSCoder) {
        let classes: [AnyClass] = [CLRegion.self, CLCircularRegion.self]
        guard let region = coder.decodeObject(of: classes, forKey: "region") as? CLRegion else { return nil }
        storedRegion = region
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(storedRegion, forKey: "region")
    }
}
