/// A mistake for which iOS ends an app with an exception, or prints a warning.
///
/// The phone ends the app too, and records the reason in the trace. For the mistakes in ``PhoneRules/onlyWarnedMistakes``, it
/// records only a warning. The sources are in docs/apple-coverage.md.
public enum AppMistake: String, Sendable, Hashable, CaseIterable {
    /// The app calls the completion handler of its notification-center delegate's `didReceive` off the main thread.
    ///
    /// An async `didReceive` that is not isolated to the main actor has this effect.
    case responseHandlerOffMain
    /// A local notification's `userInfo` has a value that Swift does not bridge to Objective-C, such as a struct.
    case userInfoNotArchivable
    /// The `userInfo` of a `UILocalNotification` is not a property list.
    case oldUserInfoNoPropertyList
    /// The interval of a `UNTimeIntervalNotificationTrigger` is 0 or negative.
    case intervalNotPositive
    /// The interval of a repeating `UNTimeIntervalNotificationTrigger` is below 60 seconds.
    case repeatsTooOften
    /// The identifier of a `UNNotificationRequest` is empty.
    case emptyIdentifier
    /// The completion handler of a push or of a background fetch is called twice.
    case fetchHandlerTwice
    /// The app calls the completion handler of its notification-center delegate's `willPresent` or `didReceive` twice.
    case centerHandlerTwice
    /// The app registers for pushes or sets its badge off the main thread.
    case uiOffMain
    /// The completion handler of `handleEventsForBackgroundURLSession` is called off the main thread.
    case transfersHandlerOffMain
    /// The app registers a `BGTaskScheduler` launch handler after launching is over.
    case taskRegisteredLate
    /// The app registers a second `BGTaskScheduler` launch handler for an identifier.
    case taskRegisteredTwice
    /// A task of `BGTaskScheduler` falls due, but the app has registered no launch handler for it.
    case taskWithoutHandler
    /// The app stores a value that is not a property list in `UserDefaults`, such as a payload with null.
    case settingNoPropertyList
    /// The app opens a URL in `SFSafariViewController` whose scheme is neither http nor https.
    case safariScheme
    /// The app adds a second action of style `cancel` to an alert.
    case secondCancelAction
    /// The app dequeues a table cell for an identifier for which it has registered no class.
    case cellNotRegistered
    /// The app's storyboard has no view controller with an identifier, or one of another class.
    case storyboardWithoutController
    /// The app makes a view controller from a nib; there are none on a simulated phone.
    case nibMissing
    /// The app adds a view to itself or to one of its subviews.
    case viewInItself
    /// The app gives a view a frame that is not a number.
    case frameNotANumber
    /// The app adds a view controller to itself or to one of its children.
    case controllerInItself
    /// The app presents a view controller on itself.
    case presentedOnItself
    /// The app sets a column of a split view controller that has no columns.
    case splitViewWithoutColumns
    /// The app makes an `NSUserActivity` without a type.
    case activityWithoutType
    /// The app gives an `NSUserActivity` a web page whose scheme is neither http nor https.
    case webpageScheme
    /// The app's entry point makes no app delegate.
    case entryPointWithoutDelegate
    /// The app was built with the SDK of iOS 27 or later, and its Info.plist has no scene manifest.
    case scenesMissing
    /// The app raises an `NSException`.
    case uncaughtException

    /// The mistakes for which some iPhones end the app and others do not.
    static let doubtful: Set<Self> = [.emptyIdentifier, .centerHandlerTwice, .uiOffMain, .transfersHandlerOffMain]

    /// Returns the text for the trace: the mistake, iOS's own message about it, and the remedy.
    ///
    /// - Parameters:
    ///   - detail: the value that iOS does not accept; `nil` if there is none.
    ///   - isEnd: whether the phone ends the app for the mistake.
    /// - Returns: the text, without a full stop at its end.
    func sentence(_ detail: String?, isEnd: Bool) -> String {
        let account = account
        let end = isEnd ? "iOS terminated the app" : "an iPhone may terminate the app here"
        let value = detail.map { " (\($0))" } ?? ""
        let words = account.words.map { ". iOS says “\($0)”" } ?? ""
        return "\(end): \(account.mistake)\(value)\(words). \(account.instead)"
    }

    /// The description of a mistake, iOS's own message about it, and the remedy.
    private struct Account {
        let mistake: String
        var words: String?
        let instead: String
    }

    private var account: Account {
        switch self {
        case .responseHandlerOffMain:
            Account(
                mistake: "the completion handler of didReceive was called off the main thread",
                words: "Call must be made on main thread",
                instead: "Call it on the main queue, or isolate an async didReceive to the main actor")
        case .userInfoNotArchivable:
            Account(
                mistake: "userInfo has a value that cannot be archived",
                words: "This coder only encodes objects that adopt NSSecureCoding",
                instead: "Put only strings, numbers, dates, data, arrays and dictionaries into it")
        case .oldUserInfoNoPropertyList:
            Account(
                mistake: "the userInfo of a UILocalNotification is no property list",
                words: "unable to serialize userInfo", instead: "Leave out null, and what is no property list")
        case .intervalNotPositive:
            Account(
                mistake: "the interval of a UNTimeIntervalNotificationTrigger is not above 0",
                words: "time interval must be greater than 0",
                instead: "Add a request without a trigger to show it at once")
        case .repeatsTooOften:
            Account(
                mistake: "the interval of a repeating UNTimeIntervalNotificationTrigger is below 60 s",
                words: "time interval must be at least 60 if repeating", instead: "Repeat it at most once in a minute")
        case .emptyIdentifier:
            Account(
                mistake: "the identifier of a request is empty, which restarts the home screen of iOS 10",
                instead: "Give each request an identifier")
        case .fetchHandlerTwice:
            Account(
                mistake: "the fetch completion handler was called twice",
                words: "you can't call -sendResponse: twice", instead: "Call it once on every path")
        case .centerHandlerTwice:
            Account(
                mistake: "a completion handler of the center's delegate was called twice",
                instead: "Call it once on every path")
        case .uiOffMain, .transfersHandlerOffMain, .taskRegisteredLate, .taskRegisteredTwice, .taskWithoutHandler,
            .settingNoPropertyList:
            taskAccount
        default: screenAccount
        }
    }

    private var taskAccount: Account {
        switch self {
        case .uiOffMain:
            Account(
                mistake: "UIKit was called off the main thread", words: "must be used from main thread only",
                instead: "Call it on the main actor")
        case .transfersHandlerOffMain:
            Account(
                mistake: "the completion handler of handleEventsForBackgroundURLSession was called off the main thread",
                instead: "Call it on the main queue, as it belongs to UIKit")
        case .taskRegisteredLate:
            Account(
                mistake: "a launch handler was registered after launching",
                words: "All launch handlers must be registered before application finishes launching",
                instead: "Register it in didFinishLaunching")
        case .taskRegisteredTwice:
            Account(
                mistake: "a task has two launch handlers",
                words: "Launch handler for task with identifier … has already been registered",
                instead: "Register each identifier once in a process")
        case .taskWithoutHandler:
            Account(
                mistake: "a background task fell due, and the app has registered no launch handler for it",
                words: "No launch handler registered for task with identifier",
                instead: "Register it in didFinishLaunching at every launch")
        default:
            Account(
                mistake: "a value for UserDefaults is no property list",
                words: "Attempt to insert non-property list object",
                instead: "Leave out null, and encode other values, for instance as Data")
        }
    }

    private var screenAccount: Account {
        switch self {
        case .safariScheme:
            Account(
                mistake: "SFSafariViewController was made for a URL of another scheme",
                words: "The specified URL has an unsupported scheme. Only HTTP and HTTPS URLs are supported.",
                instead: "Look at the scheme first, and open other links with UIApplication.open")
        case .secondCancelAction:
            Account(
                mistake: "an alert got a second action of style cancel",
                words: "UIAlertController can only have one action with a style of UIAlertActionStyleCancel",
                instead: "Give the other action the style default")
        case .cellNotRegistered:
            Account(
                mistake: "no class is registered for a table cell's identifier", words: "unable to dequeue a cell",
                instead: "Call register(_:forCellReuseIdentifier:) first")
        case .storyboardWithoutController:
            Account(
                mistake: "a storyboard does not have the view controller",
                words: "Storyboard doesn't contain a view controller with identifier",
                instead: "Say in AppBundle.storyboards what it is")
        case .nibMissing:
            Account(
                mistake: "a view controller was made from a nib", words: "Could not load NIB in bundle",
                instead: "Build the view in code: there are no nibs on a simulated phone")
        case .splitViewWithoutColumns:
            Account(
                mistake: "a column of a split view without a style was set",
                instead: "Make it with init(style:), or set viewControllers")
        case .entryPointWithoutDelegate, .scenesMissing: launchAccount
        default: invalidArgumentAccount
        }
    }

    private var launchAccount: Account {
        if self == .scenesMissing {
            return Account(
                mistake: "the app was built with the iOS 27 SDK, and does not use scenes",
                words: "UIScene life cycle is required for apps built with this SDK",
                instead: "Add a scene manifest to Info.plist, and make the window in a scene delegate")
        }
        return Account(
            mistake: "the app's entry point made no app delegate",
            words: "Unable to instantiate the UIApplication delegate instance",
            instead: "Call main() of a UIApplicationDelegate, or UIApplicationMain with its class name")
    }

    private var invalidArgumentAccount: Account {
        switch self {
        case .viewInItself:
            Account(
                mistake: "a view was added to itself or to one of its subviews", words: "Can't add self as subview",
                instead: "Add it to another view")
        case .frameNotANumber:
            Account(
                mistake: "a view got a frame that is not a number", words: "CALayer position contains NaN",
                instead: "Look for a division by zero")
        case .controllerInItself:
            Account(
                mistake: "a view controller was added to itself or to one of its children",
                words: "Pushing a navigation controller is not supported", instead: "Push its root controller")
        case .presentedOnItself:
            Account(
                mistake: "a view controller was presented on itself",
                words: "Application tried to present modal view controller on itself",
                instead: "Present another controller")
        case .activityWithoutType:
            Account(
                mistake: "an NSUserActivity was made without a type",
                words: "Caller did not provide an activityType, and this process does not have a NSUserActivityTypes",
                instead: "Give it a type in reverse-domain style")
        case .webpageScheme:
            Account(
                mistake: "the webpageURL of an NSUserActivity has another scheme than http or https",
                words: "NSUserActivity.webpageURL scheme is not allowed", instead: "Look at the scheme first")
        default:
            Account(
                mistake: "an exception was not caught", words: "Terminating app due to uncaught exception",
                instead: "Look at the value that the code took for granted")
        }
    }
}
