@_spi(Simulation) import ActivityKit
import CarillonCore
import Foundation

/// A kind of Live Activity that an app shows: the stand-in for `ActivityConfiguration` in the app's widget extension.
///
/// The phone does not run SwiftUI. It shows the values of attributes and content state by name; a layout may describe a title,
/// lines, a progress bar and a timer instead. A push can start only a kind that ``AppBundle/liveActivities`` lists, or that the
/// app's code has used on this phone.
public struct LiveActivityLayout: Sendable {
    let type: ActivityType
    private let description: UncheckedDescription

    /// Makes a kind whose values the phone shows by name.
    ///
    /// - Parameter type: the app's type.
    public init<Attributes: ActivityAttributes>(for type: Attributes.Type) {
        self.type = ActivityType(type)
        description = UncheckedDescription { _, _ in nil }
    }

    /// Makes a kind with a description.
    ///
    /// - Parameters:
    ///   - type: the app's type.
    ///   - card: returns the description for attributes and a content state; called after each update.
    public init<Attributes: ActivityAttributes>(
        for type: Attributes.Type,
        card: @escaping @Sendable (Attributes, Attributes.ContentState) -> LiveActivityCard
    ) {
        self.type = ActivityType(type)
        description = UncheckedDescription { attributes, contentState in
            let decoder = JSONDecoder()
            guard let attributes = try? decoder.decode(Attributes.self, from: attributes),
                let state = try? decoder.decode(Attributes.ContentState.self, from: contentState)
            else { return nil }
            return card(attributes, state)
        }
    }

    /// Returns the description of a Live Activity.
    ///
    /// - Parameters:
    ///   - attributes: the static values as JSON.
    ///   - contentState: the content state as JSON.
    /// - Returns: `nil` if the app gives no description, or if the values cannot be decoded.
    func card(_ attributes: Data, _ contentState: Data) -> LiveActivityCard? {
        description.describe(attributes, contentState)
    }
}

/// A function that describes the values of a Live Activity, given as JSON.
///
/// `@unchecked`: the closure has no state; it only names the app's type, whose metatype Swift does not take for Sendable.
private struct UncheckedDescription: @unchecked Sendable {
    let describe: (Data, Data) -> LiveActivityCard?

    init(_ describe: @escaping (Data, Data) -> LiveActivityCard?) { self.describe = describe }
}

/// The description of a Live Activity's presentation in a few words: Carillon's own, in the place of SwiftUI.
public struct LiveActivityCard: Sendable, Hashable, Codable {
    /// The first line.
    public var title: String
    /// The other lines, from the top.
    public var lines: [String]
    /// The length of a progress bar, from 0 to 1; `nil` for no bar.
    public var progress: Double?
    /// The time to which a timer counts; `nil` for no timer.
    public var timerEnd: Timestamp?

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - title: the first line.
    ///   - lines: the other lines, from the top; the default is none.
    ///   - progress: the length of a progress bar, from 0 to 1; a number outside is brought into this range. The default is no
    ///     bar.
    ///   - timerEnd: the time to which a timer counts; the default is no timer.
    public init(title: String, lines: [String] = [], progress: Double? = nil, timerEnd: Date? = nil) {
        self.title = title
        self.lines = lines
        self.progress = progress.map { $0.isFinite ? min(max(0, $0), 1) : 0 }
        self.timerEnd = timerEnd.map { Timestamp($0) }
    }
}
