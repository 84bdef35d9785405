import Foundation

/// An area that can be entered and left.
/// [CLRegion](https://developer.apple.com/documentation/corelocation/clregion)
open class CLRegion: NSObject, NSCopying, NSSecureCoding {
    open private(set) var identifier: String
    /// Whether entering the region causes a notification. The default is `true`.
    open var notifyOnEntry = true
    /// Whether leaving the region causes a notification. The default is `true`.
    open var notifyOnExit = true

    init(identifier: String) { self.identifier = identifier }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        (copy.notifyOnEntry, copy.notifyOnExit) = (notifyOnEntry, notifyOnExit)
        return copy
    }

    /// Returns whether two regions have the same identifier, as on iOS.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLRegion else { return false }
        return type(of: other) == type(of: self) && other.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }

    open class var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
        self.identifier = String(describing: identifier)
        notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
        notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    }

    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: identifier), forKey: "identifier")
        coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
        coder.encode(notifyOnExit, forKey: "notifyOnExit")
    }
}

/// A circle on the earth.
/// [CLCircularRegion](https://developer.apple.com/documentation/corelocation/clcircularregion)
open class CLCircularRegion: CLRegion {
    open private(set) var center: CLLocationCoordinate2D
    /// The radius, in metres.
    open private(set) var radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Returns whether a coordinate lies in the region.
    ///
    /// Differs from iOS: distances are computed on a sphere, with an error of up to 0.5 %.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool { center.distance(to: coordinate) <= radius }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        (copy.notifyOnEntry, copy.notifyOnExit) = (notifyOnEntry, notifyOnExit)
        return copy
    }

    public required init?(coder: NSCoder) {
        center = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"), longitude: coder.decodeDouble(forKey: "longitude"))
        radius = coder.decodeDouble(forKey: "radius")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: "latitude")
        coder.encode(center.longitude, forKey: "longitude")
        coder.encode(radius, forKey: "radius")
    }
}
