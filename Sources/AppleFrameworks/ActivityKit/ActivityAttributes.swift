/// The description of a kind of Live Activity: its static values, and the type of the values that change.
/// [ActivityAttributes](https://developer.apple.com/documentation/activitykit/activityattributes)
@available(iOS 16.1, *)
public protocol ActivityAttributes: Decodable, Encodable {
    /// The values that updates change; at most 4 KB of JSON.
    associatedtype ContentState: Decodable, Encodable, Hashable
}
