import Foundation

/// A notification that has arrived.
/// [UNNotification](https://developer.apple.com/documentation/usernotifications/unnotification)
public class UNNotification: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {  // `@unchecked`: immutable
    /// When it arrived, by the phone's clock.
    public let date: Date
    public let request: UNNotificationRequest

    @_spi(Simulation) public init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotification).map { $0.date == date && $0.request == request } ?? false
    }

    public override var hash: Int { request.hash ^ date.hashValue }

    public override var description: String { "<UNNotification: date: \(date), request: \(request)>" }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let request = coder.decodeObject(of: UNNotificationRequest.self, forKey: "request") else { return nil }
        self.request = request
        date = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "date"))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(request, forKey: "request")
        coder.encode(date.timeIntervalSinceReferenceDate, forKey: "date")
    }
}
