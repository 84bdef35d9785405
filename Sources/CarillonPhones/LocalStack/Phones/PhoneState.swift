import CarillonCore
import CarillonDevice

/// The state from which the page draws one phone.
///
/// `docs/page-api.md` describes each field.
struct PhoneState: Encodable, Sendable, Equatable {
    enum Screen: String, Encodable, Sendable { case lock, home, app, settings }

    struct App: Encodable, Sendable, Equatable {
        /// The id of the app (``PageApp/id``).
        var id: String
        var name: String
        var bundleID: String
        /// The app's state in words, for the end of the sentence "Chime is …".
        var state: String
        var isForceQuit: Bool
        var badge: Int
        /// The app's device token in hexadecimal; `nil` before the app has one.
        var token: String?
        /// The token for calls in hexadecimal; `nil` unless the app has asked PushKit for one.
        var callToken: String?
        /// The token in hexadecimal with which a push starts a Live Activity; `nil` unless the app has asked for one.
        var startToken: String?
        /// The token of the app's newest Live Activity in hexadecimal, also after its end; `nil` before the first.
        var activityToken: String?
        /// The reason why the newest push for a Live Activity changed nothing, as a sentence; `nil` if it changed something.
        var whyNoActivity: String?
        /// The installation's id at the service; `nil` before the app has registered.
        var installation: String?
        /// The region in the phone's Settings while the app last ran; the app may have sent it to its servers.
        ///
        /// The value is `nil` before the app has run.
        var region: String?

        enum CodingKeys: String, CodingKey {
            case id, name, state, badge, token, installation, region
            case callToken = "call_token"
            case startToken = "start_token"
            case activityToken = "activity_token"
            case whyNoActivity = "why_no_activity"
            case bundleID = "bundle_id"
            case isForceQuit = "force_quit"
        }
    }

    struct Call: Encodable, Sendable, Equatable {
        var id: String
        /// The name of the other party in the call; if the name is unknown, the party's handle, such as a phone number.
        var name: String
        var isVideo: Bool
        /// The state of the call: ringing, connecting or active.
        var state: String

        enum CodingKeys: String, CodingKey {
            case id, name, state
            case isVideo = "video"
        }
    }

    /// A Live Activity on the lock screen.
    struct Activity: Encodable, Sendable, Equatable {
        struct Value: Encodable, Sendable, Equatable {
            var name: String
            var text: String
        }

        var id: String
        /// The name of the app's type of attributes.
        var kind: String
        /// The state: active, stale or ended.
        var state: String
        /// The first line of the app's description; `nil` if the app gives none.
        var title: String?
        var lines: [String]
        /// The length of the progress bar, from 0 to 1; `nil` for no bar.
        var progress: Double?
        /// The time to which the timer counts; `nil` for no timer.
        var timerEnd: Timestamp?
        /// The values of attributes and content state, in the order of their names.
        var values: [Value]

        enum CodingKeys: String, CodingKey {
            case id, kind, state, title, lines, progress, values
            case timerEnd = "timer_end"
        }
    }

    struct Sheet: Encodable, Sendable, Equatable {
        var title: String
        var message: String
    }

    struct Notification: Encodable, Sendable, Equatable {
        struct Action: Encodable, Sendable, Equatable {
            struct TextInput: Encodable, Sendable, Equatable {
                var button: String
                var placeholder: String
            }
            var id: String
            var title: String
            /// The style of the action: `default` or `destructive`.
            var style: String
            var text: TextInput?
        }

        struct Attachment: Encodable, Sendable, Equatable {
            /// The kind of the attachment: image, audio or movie.
            var kind: String
            /// The URL from which the page loads the attachment.
            var url: String
        }

        var id: String
        var title: String
        var subtitle: String
        var body: String
        var at: Timestamp
        var thread: String
        /// The interruption level: passive, active, time-sensitive or critical.
        var level: String
        var actions: [Action]
        /// The first attachment; `nil` if there is none, or while texts are hidden.
        var attachment: Attachment?
    }

    struct SafeArea: Encodable, Sendable, Equatable {
        var top: Double
        var bottom: Double
    }

    var id: String
    var name: String
    /// The time of the phone's clock.
    var now: Timestamp
    /// The width of the screen, in points.
    var width: Double
    var height: Double
    var safeArea: SafeArea
    var screen: Screen
    var isCenterOpen: Bool
    var isInAeroplaneMode: Bool
    var permission: String
    var app: App
    /// The calls that have not ended, in the order in which they began.
    var calls: [Call]
    /// The Live Activities on the lock screen, the most relevant first.
    var activities: [Activity]
    var sheet: Sheet?
    /// The Face ID prompt; `nil` if there is none.
    var authentication: Sheet?
    var settings: Settings
    var isDark: Bool
    var region: PhoneRegionFacts
    /// The last sound that a notification made; `nil` before the first sound.
    var sound: Sound?
    var banner: Notification?
    /// The notifications, newest first.
    ///
    /// The notifications are not part of the JSON. The page gets changes of the list (``NotificationChange``).
    var notifications: [Notification]
    /// The drawing of the foreground app; `nil` if no app is in the foreground.
    ///
    /// The drawing is not part of the JSON. The page gets each new drawing (``ViewChange``).
    var view: ViewSnapshot?

    enum CodingKeys: String, CodingKey {
        case id, name, now, width, height, screen, permission, app, calls, activities, sheet, authentication, settings,
            region,
            sound
        case banner
        case isDark = "dark"
        case safeArea = "safe_area"
        case isCenterOpen = "center_open"
        case isInAeroplaneMode = "aeroplane"
    }
}
