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

    /// The time after which the service extension hands over the content in its current state.
    ///
    /// iOS gives the extension about 30 seconds and then shows the notification as it came
    /// ([didReceive](https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension/didreceive(_:withcontenthandler:))).
    package static let extensionTime = completionHandlerTime

    /// The longest time for which a ready notification waits for its receipts to be sent.
    ///
    /// A slow service must not delay a message.
    package static let receiptTime = Duration.seconds(3)

    /// The time within which the links of a `DelegateChain` must decide how a notification is shown in the foreground.
    ///
    /// Apple names no limit for `willPresent`; a notification that appears later is of no use.
    package static let presentationTime = Duration.seconds(5)

    // MARK: The service

    /// The longest time for which a request to the service may receive no data, unless the app sets another.
    ///
    /// Half of a background wake, so that a second request fits in.
    package static let requestTime = Duration.seconds(15)

    /// The wait after the first failed request; each further failure doubles it.
    package static let firstRetryWait = Duration.seconds(5)

    /// The longest wait after a failed request.
    ///
    /// It also limits the wait of a phone whose clock was set back.
    package static let longestRetryWait = Duration.seconds(3600)

    /// The most requests for bringing one registration up to date.
    ///
    /// They are: a sign-out that finds the installation forgotten, a registration, the sign-out again, and one more for a
    /// change that happened meanwhile.
    package static let requestsPerRegistration = 4

    /// The time within which the app's `signInToken` must return: as long as a request to the service.
    package static let signInTokenTime = requestTime

    /// The largest answer of the service in bytes (1 MiB); a larger answer is an error.
    package static let answerBytes = 1 << 20

    /// The length to which a refusal's explanation is cut in events, in characters.
    package static let problemCharacters = 300

    /// The most tags of an installation; the service refuses more.
    package static let tagsPerDevice = DeviceFacts.tagLimit

    /// The greatest length of a tag, in bytes of UTF-8.
    package static let tagBytes = DeviceFacts.labelByteLimit

    /// The valid range of times in pushes and answers: 1970 to 9999.
    ///
    /// Outside data may hold any number, and sums must not overflow.
    package static let plausibleTimes =
        Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 253_402_300_799_999)

    // MARK: Receipts and reads

    /// The most receipts that wait for the service; beyond it the oldest is dropped.
    package static let pendingReceipts = 1000

    /// The most receipts in one request; the service accepts up to `ReceiptBatch.countLimit` (500).
    package static let receiptsPerBatch = 100

    /// The most consecutive requests in which a service extension sends the waiting receipts.
    package static let receiptRequests = pendingReceipts / receiptsPerBatch

    /// The longest `detail` of a receipt, in bytes of UTF-8: the service's own limit.
    package static let receiptDetailBytes = 200

    /// The most consecutive requests in which the app sends the waiting receipts, or the waiting reads.
    ///
    /// They suffice for all that wait, with some batches that the service refuses for one of their entries.
    package static let batchesAtOnce = 30

    /// The most reads that wait for the service; beyond it the oldest is dropped.
    package static let pendingReads = 500

    /// The most reads in one request: the service's own limit.
    package static let readsPerBatch = 100

    // MARK: Memory

    /// The longest life of a tombstone.
    ///
    /// APNs keeps no push for longer than 30 days ([Sending notification
    /// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
    package static let tombstoneLifetime = Duration.seconds(30 * 24 * 3600)

    /// The longest time by which another sender's removal may precede its message and still stop it (5 minutes).
    ///
    /// Those senders reuse their ids, so a longer time would stop the next message with that id.
    package static let overtakingTime = Duration.seconds(300)

    /// The most tombstones; beyond it the one that ends first is dropped.
    package static let tombstones = 1000

    /// The most messages in ``KnownMessages``; beyond it the message that was seen first is forgotten.
    package static let knownMessages = 500

    /// The most pushes without an id that are recognised when iOS reports them again; beyond it the oldest is forgotten.
    package static let unidentifiedMessages = 50

    /// The most listed notifications without an id that are recognised when the list is read again.
    package static let listedMessages = 1000

    /// The most inbox messages on the phone: one page of the service.
    package static let inboxMessages = 100

    /// The most messages, responses and removals that wait for a handler, counted separately; beyond it the oldest is dropped.
    ///
    /// They wait until the app has set the handler and, for some responses, says that it is ready.
    package static let unheard = 100

    /// The most handler calls for one message or response, if the app ends before the handler returns.
    package static let callsOfHandler = 2

    /// The longest wait of a response for `Carillon/appIsReady()`; then the wait is reported.
    package static let readinessTime = Duration.seconds(10)

    /// The most responses that are recognised when iOS reports them again; beyond it the oldest is forgotten.
    package static let rememberedResponses = 100

    /// The most remembered mistakes of the set-up; beyond it the oldest is forgotten.
    package static let reportedMistakes = 20

    // MARK: The store

    /// The journal's size in bytes beyond which a snapshot replaces it (128 KiB): some hundred pushes.
    package static let journalBytes = 128 << 10

    /// The most files that the service extension leaves for the app; beyond it they are merged into one.
    package static let extensionFiles = 50

    /// The most stores that an extension process keeps in memory; beyond it all are forgotten.
    ///
    /// On iOS there is one.
    package static let storesPerExtensionProcess = 100

    // MARK: The notification list

    /// The most readings of the list of delivered notifications after a removal, until the removal is visible.
    ///
    /// Each reading waits for an answer of the system, so this many take longer than any removal.
    package static let removalReads = 20

    // MARK: Attachments

    /// The longest download of an attachment, in seconds: the time that iOS gives an extension.
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

    /// The time within which the app downloads the attachment of a silent message; then the message is shown without it.
    ///
    /// The rest of ``completionHandlerTime`` is left for showing the message and for its receipts.
    package static let silentAttachmentTime = Duration.seconds(15)

    /// The age of an attachment's file beyond which its process has ended: twice the time that iOS gives.
    package static let attachmentFileAge = Duration.seconds(60)
}
