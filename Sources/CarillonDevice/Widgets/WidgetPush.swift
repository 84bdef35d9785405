import CarillonCore
import Foundation

/// A push for widgets or controls as a phone reads it.
enum WidgetPush {
    /// Returns the reason why a phone ignores a payload, as a sentence without a full stop; `nil` for one that reloads.
    ///
    /// Apple asks for `content-changed` in both articles: [Updating widgets with WidgetKit push
    /// notifications](https://developer.apple.com/documentation/widgetkit/updating-widgets-with-widgetkit-push-notifications) and
    /// [Updating controls locally and
    /// remotely](https://developer.apple.com/documentation/widgetkit/updating-controls-locally-and-remotely).
    static func refusal(of payload: Data, rules: PhoneRules) -> String? {
        guard let members = try? JSONValue(parsing: payload).members else {
            return "dropped: the payload cannot be read: it is not a JSON dictionary"
        }
        guard !PayloadValue.isOne(members["aps"]?["content-changed"]), rules.keeps(.widgetPushNeedsContentChanged)
        else { return nil }
        return "ignored: the push lacks aps.content-changed, which must be true"
    }
}
