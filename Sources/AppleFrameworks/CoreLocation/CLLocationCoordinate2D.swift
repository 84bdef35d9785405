import Foundation

/// An angle of latitude or longitude, in degrees.
public typealias CLLocationDegrees = Double

/// A distance, in metres.
public typealias CLLocationDistance = Double

/// A place on the earth.
/// [CLLocationCoordinate2D](https://developer.apple.com/documentation/corelocation/cllocationcoordinate2d)
public struct CLLocationCoordinate2D {
    /// Degrees north of the equator, −90…90.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich, −180…180.
    public var longitude: CLLocationDegrees

    public init() { self.init(latitude: 0, longitude: 0) }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Returns the distance along the earth's surface in metres; accurate to 0.5 %, because the earth counts as a sphere.
    func distance(to other: Self) -> CLLocationDistance {
        let radians = Double.pi / 180
        let (from, to) = (latitude * radians, other.latitude * radians)
        let half = (sin((to - from) / 2), sin((other.longitude - longitude) * radians / 2))
        let chord = half.0 * half.0 + cos(from) * cos(to) * half.1 * half.1
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// The earth's mean radius, in metres.
    private static let earthRadius = 6_371_009.0
}

nonisolated(unsafe) public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}
