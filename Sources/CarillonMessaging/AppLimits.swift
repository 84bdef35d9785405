import CarillonCore
import Foundation

/// Every bound and every duration of the SDK, in one place.
///
/// An app's own choices are in `Carillon.Configuration`; the banner has limits of its own. The service's are `ServiceLimits`
/// of `CarillonServer`.
package enum AppLimits {
    // MARK: Time that iOS allows

    /// After this time the SDK calls a completion handler itself, whatever is still under way.
    ///
    /// iOS gives a wake in the background 30 seconds of wall clock and terminates the app beyond them
    /// ([didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:))).
    /// The last 5 of them are left to the app and to a busy phone.
    package static let completionHandlerTime = Duration.seconds(25)

    /// After this time the service extension hands over what it has.
    ///
    /// iOS gives the extension about 30 seconds and then shows the notification as it came
    /// ([didReceive](https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension/didreceive(_:withcontenthandler:))).
    package static let extensionTime = completionHandlerTime

    /// How long a notification that is ready waits for its receipts to be sent: nobody is to see a message later because
    /// the service is slow.
    package static let receiptTime = Duration.seconds(3)

    /// How long the links of a `DelegateChain` may take to say how a notification is shown in the foreground.
    ///
    /// Apple names no limit for `willPresent`; a notification that appears later than this is of no use to anybody.
    package static let presentationTime = Duration.seconds(5)

    // MARK: The service

    /// How long a request to the service may go without data, unless the app says otherwise.
    ///
    /// Half of a wake in the background, so that a second request fits in.
    package static let requestTime = Duration.seconds(15)

    /// The wait after the first failed request; each further failure doubles it.
    package static let firstRetryWait = Duration.seconds(5)

    /// The longest wait after a failed request.
    ///
    /// It also bounds what a phone waits whose clock was set back.
    package static let longestRetryWait = Duration.seconds(3600)

    /// Requests that bring one registration up to date: a sign-out that finds the installation forgotten, a registration, the
    /// sign-out again, and one more because something has changed meanwhile.
    package static let requestsPerRegistration = 4

    /// How long the app's `signInToken` may take: as long as a request to the service.
    package static let signInTokenTime = requestTime

    /// The longest answer of the service that is read, in bytes (1 MiB); a longer one is an error.
    package static let answerBytes = 1 << 20

    /// The part of a refusal's explanation that is reported to the app, in characters.
    package static let problemCharacters = 300

    /// The tags that an installation may have; the service refuses more.
    package static let tagsPerDevice = DeviceFacts.tagLimit

    /// The greatest length of a tag, in bytes of UTF-8.
    package static let tagBytes = DeviceFacts.labelByteLimit

    /// The times that a push or an answer may name: 1970 to 9999.
    ///
    /// Outside data may hold any number, and sums must not overflow.
    package static let plausibleTimes =
        Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 253_402_300_799_999)

    // MARK: Receipts and reads

    /// Receipts that wait for the service; beyond this many the oldest is dropped.
    package static let pendingReceipts = 1000

    /// Receipts in one request; the service takes up to `ReceiptBatch.countLimit` (500).
    package static let receiptsPerBatch = 100

    /// Requests, one after the other, in which a service extension sends the receipts that have gathered.
    package static let receiptRequests = pendingReceipts / receiptsPerBatch

    /// The longest `detail` of a receipt, in bytes of UTF-8: the service's own limit.
    package static let receiptDetailBytes = 200

    /// Reads that wait for the service; beyond this many the oldest is dropped.
    package static let pendingReads = 500

    /// Reads in one request: the service's own limit.
    package static let readsPerBatch = 100

    // MARK: What the SDK remembers

    /// How long a tombstone lasts at most.
    ///
    /// APNs keeps no push for longer than 30 days
    /// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    package static let tombstoneLifetime = Duration.seconds(30 * 24 * 3600)

    /// By how much another sender's removal may be ahead of its message and still stop it (5 minutes).
    ///
    /// Those senders use their ids again, so a longer time would stop the next message of that id.
    package static let overtakingTime = Duration.seconds(300)

    /// Tombstones; beyond this many the one that would end first is dropped.
    package static let tombstones = 1000

    /// Messages of which the SDK knows what it did; beyond this many the one that was seen first is forgotten.
    package static let knownMessages = 500

    /// Pushes without an id that are recognised when iOS reports them again; beyond this many the oldest is forgotten.
    package static let unidentifiedMessages = 50

    /// Listed notifications without an id that are recognised when the list is read again.
    package static let listedMessages = 1000

    /// Messages of the inbox that are kept on the phone: one page of the service.
    package static let inboxMessages = 100

    /// Messages, responses and removals, of each, that wait until the app has set the handler for them, or says that it is
    /// ready; beyond this many the oldest is dropped.
    package static let unheard = 100

    /// How often a handler is called for one message or response, should the app end before it returns.
    package static let callsOfHandler = 2

    /// How long a response may wait for `Carillon/appIsReady()` before that is reported.
    package static let readinessTime = Duration.seconds(10)

    /// Responses that are recognised when iOS hands them over again; beyond this many the oldest is forgotten.
    package static let rememberedResponses = 100

    /// Mistakes of the set-up that are remembered; beyond this many the oldest is forgotten.
    package static let reportedMistakes = 20

    // MARK: The store

    /// The journal's size in bytes beyond which a snapshot replaces it (128 KiB): some hundred pushes.
    package static let journalBytes = 128 << 10

    /// Files that the service extension leaves for an app that does not run; beyond this many they are made one.
    package static let extensionFiles = 50

    /// Stores that a process of service extensions remembers; beyond this many it starts anew.
    ///
    /// On iOS there is one.
    package static let storesPerExtensionProcess = 100

    // MARK: The notification list

    /// How often the list of delivered notifications is read again after a removal, until the removal is visible.
    ///
    /// Each reading waits for an answer of the system, so this many take longer than any removal.
    package static let removalReads = 20

    // MARK: Attachments

    /// How long the download of an attachment may take, in seconds: what iOS gives an extension.
    package static let attachmentSeconds: TimeInterval = 30

    /// The largest audio file, in bytes (5 MiB).
    ///
    /// Apple's limit, like the next two:
    /// [UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment).
    package static let audioBytes = 5 << 20

    /// The largest image, in bytes (10 MiB).
    package static let imageBytes = 10 << 20

    /// The largest video, in bytes (50 MiB).
    package static let videoBytes = 50 << 20

    /// The part of a notification's identifier that names its attachment, in bytes.
    ///
    /// Each byte takes two characters of a file name, which has 255 at most.
    package static let attachmentNameBytes = 100

    /// The part of that name, in characters, that a file has while it is downloaded, before its unique suffix.
    package static let downloadNameCharacters = 64
}
