import Foundation

/// A delivered notification. [UNNotification](https://developer.apple.com/documentation/usernotifications/unnotification)
open class UNNotification: NSObject, NSCopying, NSSecureCoding {
    /// The time of arrival, by the phone's clock.
    open private(set) var date: Date
    open private(set) var request: UNNotificationRequest

    @_spi(Simulation) public init(date: Date, request: UNNotificationRequest) {
        self.date = date
        self.request = request
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotification).map { $0.date == date && $0.request == request } ?? false
    }

    open override var hash: Int { request.hash ^ date.hashValue }

    open override var description: String { "<UNNotification: date: \(date), request: \(request)>" }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let request = coder.decodeValue(UNNotificationRequest.self, "request"),
            let date = coder.decodeDate("date")
        else { return nil }
        self.request = request
        self.date = date
    }

    open func encode(with coder: NSCoder) {
        coder.encode(request, forKey: "request")
        coder.encode(NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate), forKey: "date")
    }
}
