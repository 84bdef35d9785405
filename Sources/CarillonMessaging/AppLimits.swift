import CarillonCore
import Foundation

/// All limits and durations of the SDK, in one place.
///
/// An app's settings are in `Carillon.Configuration`; the banner has limits of its own. The service's limits are in
/// `ServiceLimits` of `CarillonServer`.
package enum AppLimits {
    // MARK: Time that iOS allows

    /// The time after which the SDK calls a completion handler itself, even if work is still running.
    ///
    /// iOS gives a background wake 30 seconds of wall clock and terminates an app that takes longer
    /// ([didReceiveRemoteNotification](https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didreceiveremotenotification:fetchcompletionhandler:))).
    /// The last 5 seconds are left to the app and to a busy phone.
    package static let completionHandlerTime = Duration.seconds(25)

    /// The time after which the notification service extension calls its content handler with the changes made so far.
    ///
    /// iOS gives the extension about 30 seconds and then shows the original notification
    /// ([didReceive](https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension/didreceive(_:withcontenthandler:))).
    package static let extensionTime = completionHandlerTime

    /// The longest time for which the service extension holds back a finished notification while it sends receipts.
    ///
    /// A slow service must not delay the notification any longer.
    package static let receiptTime = Duration.seconds(3)

    /// The time within which the delegates in a `DelegateChain` must decide how a notification is shown in the foreground.
    ///
    /// Apple documents no limit for `willPresent`; a notification that appears later is of no use.
    package static let presentationTime = Duration.seconds(5)

    /// The time within which the SDK itself decides how a notification is shown in the foreground.
    ///
    /// It is shorter than ``presentationTime``, so that a `DelegateChain` still gets the SDK's answer.
    package static let ownPresentationTime = Duration.seconds(4)

    // MARK: The service

    /// The timeout of a request to the service: the longest time without received data, unless the app sets another timeout.
    ///
    /// This is half of the time that iOS gives a background wake, so a second request fits in.
    package static let requestTime = Duration.seconds(15)

    /// The wait after the first failed request; each further failure doubles the wait.
    package static let firstRetryWait = Duration.seconds(5)

    /// The longest wait after a failed request (one hour).
    ///
    /// A stored wait that seems longer shows that the phone's clock was set back; the SDK then sends the next request without
    /// waiting.
    package static let longestRetryWait = Duration.seconds(3600)

    /// The shortest time between two questions for the newest states of Live Activities.
    ///
    /// A goal changes the screens of very many phones at once, and each that is in use would ask.
    package static let activityQuestionInterval = Duration.seconds(30)
    /// The time after which one of two Live Activities with one name ends, although neither shows the service's newest state.
    package static let twinPatience = Duration.seconds(600)

    /// The maximum number of requests for one update of the registration.
    ///
    /// Later changes wait for the next exchange with the service. The worst case is a sign-out for an installation that the
    /// service does not know, a registration, a second sign-out, and one request for a change made during these requests.
    package static let requestsPerRegistration = 4

    /// The time within which the app's `signInToken` must return: equal to ``requestTime``.
    package static let signInTokenTime = requestTime

    /// The maximum size of a response of the service, in bytes (1 MiB); a larger response is an error.
    package static let answerBytes = 1 << 20

    /// The maximum length, in characters, of the service's explanation in an event about a refused request; a longer one is cut.
    package static let problemCharacters = 300

    /// The maximum number of tags of an installation; the service refuses more.
    package static let tagsPerDevice = DeviceFacts.tagLimit

    /// The maximum length of a tag, in bytes of UTF-8.
    package static let tagBytes = DeviceFacts.labelByteLimit

    /// The valid range of times in pushes and responses: 1970 to 9999.
    ///
    /// Data from outside may contain any number, and calculations with times must not overflow.
    package static let plausibleTimes =
        Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 253_402_300_799_999)

    // MARK: Receipts and reads

    /// The maximum number of receipts that wait to be sent; beyond this limit the oldest is dropped.
    package static let pendingReceipts = 1000

    /// The maximum number of receipts in one request; the service accepts up to `ReceiptBatch.countLimit` (500).
    package static let receiptsPerBatch = 100

    /// The maximum number of consecutive requests in which a service extension sends its stored receipts.
    ///
    /// The number suffices for ``pendingReceipts`` receipts.
    package static let receiptRequests = pendingReceipts / receiptsPerBatch

    /// The maximum length of the `detail` of a receipt, in bytes of UTF-8: the service's own limit.
    package static let receiptDetailBytes = 200

    /// The maximum number of consecutive requests in which the app sends its stored receipts, or its reports of read messages.
    ///
    /// The number suffices for all stored receipts or reports, even if the service refuses some batches because of a single
    /// entry.
    package static let batchesAtOnce = 30

    /// The maximum number of read messages that wait to be reported to the service; beyond this limit the oldest is dropped.
    package static let pendingReads = 500

    /// The maximum number of read messages that one request reports: the service's own limit.
    package static let readsPerBatch = 100

    // MARK: Memory

    /// The longest lifetime of a tombstone: the record of a removal, which stops the removed message if it arrives later.
    ///
    /// APNs keeps no push for longer than 30 days ([Sending notification
    /// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    package static let tombstoneLifetime = Duration.seconds(30 * 24 * 3600)

    /// The time for which a removal by another push provider stops a message that arrives after the removal (5 minutes).
    ///
    /// Push providers other than Carillon reuse their ids, so a longer time would stop the next message with the reused id.
    package static let overtakingTime = Duration.seconds(300)

    /// The maximum number of tombstones (records of removals); beyond this limit the tombstone that ends first is dropped.
    package static let tombstones = 1000

    /// The maximum number of messages in ``KnownMessages``; beyond this limit the message that was seen first is forgotten.
    package static let knownMessages = 500

    /// The maximum number of pushes without a message id that the SDK remembers, so that it recognises them if iOS reports them
    /// again.
    ///
    /// Beyond this limit the oldest is forgotten.
    package static let unidentifiedMessages = 50

    /// The maximum number of delivered notifications without a message id that the SDK remembers.
    ///
    /// It recognises them when it reads Notification Center again.
    ///
    /// Beyond this limit the oldest are forgotten.
    package static let listedMessages = 1000

    /// The maximum number of inbox messages kept on the phone: one page of the service's inbox.
    package static let inboxMessages = 100

    /// The maximum number of messages that wait for the app's handler; also of waiting responses, and of waiting removals.
    ///
    /// Beyond this limit the oldest message, response or removal is dropped.
    ///
    /// A message or response waits until the app has set its handler. Some responses also wait until the app says that it is
    /// ready.
    package static let unheard = 100

    /// The maximum number of handler calls for one message or response.
    ///
    /// The SDK repeats the call if the app ends before the handler returns.
    package static let callsOfHandler = 2

    /// The time that a response waits for a call of `Carillon/appIsReady()` before the SDK reports that the call is missing.
    package static let readinessTime = Duration.seconds(10)

    /// The maximum number of responses that the SDK recognises when iOS reports them again; beyond it the oldest is forgotten.
    package static let rememberedResponses = 100

    /// The maximum number of set-up mistakes that the SDK remembers; beyond this limit the oldest is forgotten.
    package static let reportedMistakes = 20

    // MARK: The store

    /// The size of the store's journal, in bytes (128 KiB), beyond which a snapshot of the store replaces the journal.
    ///
    /// A journal of this size contains a few hundred pushes.
    package static let journalBytes = 128 << 10

    /// The maximum number of files that the service extension leaves for the app; beyond this limit they are merged into one.
    package static let extensionFiles = 50

    /// The maximum number of stores that an extension process keeps in memory; beyond this limit it forgets all of them.
    ///
    /// On iOS a process has only one store.
    package static let storesPerExtensionProcess = 100

    // MARK: The notification list

    /// The maximum number of times that the SDK reads the delivered notifications after a removal, to see whether they are gone.
    ///
    /// A notification that is still there after the last reading counts as not removed. Each reading waits for an answer of iOS,
    /// so this many readings take longer than any removal.
    package static let removalReads = 20

    // MARK: Attachments

    /// The time limit for the download of an attachment, in seconds: the time that iOS gives an extension.
    package static let attachmentSeconds: TimeInterval = 30

    /// The maximum size of an audio attachment, in bytes (5 MiB).
    ///
    /// The limit is Apple's:
    /// [UNNotificationAttachment](https://developer.apple.com/documentation/usernotifications/unnotificationattachment).
    package static let audioBytes = 5 << 20

    /// The maximum size of an attached image, in bytes (10 MiB): Apple's limit.
    package static let imageBytes = 10 << 20

    /// The maximum size of an attached video, in bytes (50 MiB): Apple's limit.
    package static let videoBytes = 50 << 20

    /// The time within which the app downloads the attachment of a silent message; after this time the message is shown without
    /// it.
    ///
    /// The rest of ``completionHandlerTime`` is left for showing the message and for its receipts.
    package static let silentAttachmentTime = Duration.seconds(15)

    /// The age beyond which a temporary attachment file counts as left behind by a process that has ended.
    ///
    /// The age is twice the time that iOS gives an extension.
    package static let attachmentFileAge = Duration.seconds(60)
}
