import ActivityKit
import Foundation
import UIKit

// A pizza on its way, with the calls of Apple's examples for a delivery, the first ones and those of today:
// https://developer.apple.com/documentation/activitykit/activity

public struct DeliveryAttributes: ActivityAttributes {
    public typealias DeliveryStatus = ContentState

    public struct ContentState: Codable, Hashable {
        public var driver: String
        public var deliveryTimer: ClosedRange<Date>
    }

    public var pizzas: Int
    public var totalAmount: String
    public var orderNumber: String
}

/// The orders of a customer.
@MainActor
public final class Deliveries {
    /// A driver and minutes, as the next status has them.
    public static func status(_ driver: String, minutes: Double, from start: Date) -> DeliveryAttributes.DeliveryStatus
    {
        DeliveryAttributes.DeliveryStatus(driver: driver, deliveryTimer: start...start.addingTimeInterval(minutes * 60))
    }

    public init() {}

    @discardableResult
    public func order(_ number: String, at time: Date) throws -> Activity<DeliveryAttributes> {
        let attributes = DeliveryAttributes(pizzas: 2, totalAmount: "€ 24", orderNumber: number)
        let content = ActivityContent(
            state: Self.status("Ada", minutes: 30, from: time), staleDate: time.addingTimeInterval(30 * 60))
        return try Activity<DeliveryAttributes>.request(attributes: attributes, content: content, pushType: nil)
    }

    public func change(driver: String, minutes: Double, at time: Date) async {
        let status = Self.status(driver, minutes: minutes, from: time)
        let alert = AlertConfiguration(title: "Delivery update", body: "\(driver) brings it", sound: .default)
        for activity in Activity<DeliveryAttributes>.activities {
            await activity.update(ActivityContent(state: status, staleDate: nil), alertConfiguration: alert)
        }
    }

    public func cancelAll() {
        Task {
            for activity in Activity<DeliveryAttributes>.activities {
                await activity.end(nil, dismissalPolicy: .immediate)
            }
        }
    }

    /// The orders on the lock screen, as an app lists them.
    public var list: [String] {
        Activity<DeliveryAttributes>.activities
            .sorted { $0.attributes.orderNumber < $1.attributes.orderNumber }
            .map { "\($0.attributes.orderNumber): \($0.content.state.driver), \($0.activityState)" }
    }
}

/// An app that takes orders.
public final class DeliveryDelegate: UIResponder, UIApplicationDelegate {
    public let deliveries = Deliveries()
}
