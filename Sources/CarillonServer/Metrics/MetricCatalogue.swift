/// All metrics of the service, in the order in which `GET /metrics` has them.
///
/// `docs/metrics.md` lists them too, and a test compares the two lists.
enum MetricCatalogue {
    // MARK: The process

    static let ready = MetricFamily.gauge(
        "carillon_ready", "1 if the database answered within a second and could be written, otherwise 0.")
    static let role = MetricFamily.gauge(
        "carillon_role", by: ["role"], "1 for each role of this process: api takes calls, sender sends.")
    static let sending = MetricFamily.gauge(
        "carillon_sending", "1 while this process may send: it is registered as a sender, and its lease lasts.")
    static let connections = MetricFamily.gauge("carillon_connections", "Open connections to this process.")
    static let connectionsRefused = MetricFamily.counter(
        "carillon_connections_refused_total", "Connections refused as one too many.")

    // MARK: Messages, pushes and receipts

    static let messages = MetricFamily.counter(
        "carillon_messages_accepted_total", by: ["app"], "Messages accepted by this process.")
    static let activities = MetricFamily.counter(
        "carillon_live_activity_changes_total", by: ["app", "change"],
        "Calls that started, updated or ended Live Activities, accepted by this process.")
    static let channelRequests = MetricFamily.counter(
        "carillon_channel_requests_total", by: ["app", "request", "outcome"],
        "Requests of this process to APNs about broadcast channels (list, make, broadcast, delete): done or failed.")
    static let pushes = MetricFamily.counter(
        "carillon_pushes_total", by: ["app", "outcome", "reason"],
        "Pushes of this process by outcome; the reason is APNs' own for rejected ones, and empty for others.")
    static let receipts = MetricFamily.counter(
        "carillon_receipts_total", by: ["app", "event"], "New receipts of phones, by event.")
    static let events = MetricFamily.counter(
        "carillon_events_total", by: ["event"], "Timeline events written by this process.")
    static let unknownTokens = MetricFamily.counter(
        "carillon_unknown_tokens_total", "New installations whose token APNs does not know.")
    static let answered = MetricFamily.histogram(
        "carillon_push_answered_seconds", by: ["app"], bounds: MetricFamily.longBounds,
        "Time from the acceptance of a message, or its send_at, to APNs' acceptance of its push at the first try.")
    static let shown = MetricFamily.histogram(
        "carillon_push_shown_seconds", by: ["app"], bounds: MetricFamily.longBounds,
        "Time from APNs' acceptance of a push to the phone's receipt shown, by the phone's clock.")

    // MARK: Queues and places

    static let queueDepth = MetricFamily.gauge(
        "carillon_queue_depth", by: ["queue", "app"],
        "Entries of a queue: due pushes, devices of broadcasts, removals, receipts that are being stored.")
    static let queueOldest = MetricFamily.gauge(
        "carillon_queue_oldest_seconds", by: ["queue", "app"], "Time for which the oldest entry of a queue has waited.")
    static let places = MetricFamily.gauge(
        "carillon_places_used", by: ["lane"], "Pushes in flight, from their claim until their outcome is stored.")
    static let placesLimit = MetricFamily.gauge(
        "carillon_places", "Greatest number of pushes in flight of this process.")
    static let setAside = MetricFamily.gauge(
        "carillon_set_aside", "Rows that are not sent because they cannot be decoded.")

    // MARK: Alarms and credentials

    static let alarms = MetricFamily.gauge("carillon_alarms", "Apps whose sending is stopped.")
    static let stopped = MetricFamily.gauge(
        "carillon_stopped_seconds", by: ["app", "environment"], "Time for which nothing of an app could be sent.")
    static let endingCredentials = MetricFamily.gauge(
        "carillon_ending_credentials", "Certificates that end within 30 days, or have ended.")
    static let credentialLeft = MetricFamily.gauge(
        "carillon_credential_left_seconds", by: ["app", "environment"],
        "Time until an app's certificate ends, negative once it has ended; a signing key has no end.")
    static let listenerCertificateLeft = MetricFamily.gauge(
        "carillon_listener_certificate_left_seconds", by: ["listener"],
        "Time until the certificate of a listener ends, negative once it has ended; no series without TLS.")
    static let refusedCredentials = MetricFamily.gauge(
        "carillon_refused_credentials", "Apps whose new credential APNs refuses while the old one is used.")

    // MARK: The database

    static let transaction = MetricFamily.histogram(
        "carillon_database_transaction_seconds", by: ["kind"], bounds: MetricFamily.shortBounds,
        "Time of a transaction from its lock or snapshot to its end, on the disk if it writes.")
    static let failedTransactions = MetricFamily.counter(
        "carillon_database_failed_transactions_total", by: ["kind"], "Transactions that ended with an error.")
    static let lockWait = MetricFamily.histogram(
        "carillon_database_lock_wait_seconds", bounds: MetricFamily.shortBounds,
        "Wait of a writing transaction for the writing connection and for the lock against other processes.")
    static let connectionWait = MetricFamily.histogram(
        "carillon_database_connection_wait_seconds", bounds: MetricFamily.shortBounds,
        "Wait of a reading call for a connection of the pool and its snapshot.")
    static let waitingCalls = MetricFamily.gauge(
        "carillon_database_waiting_calls", "Writing calls that wait for a transaction.")

    // MARK: The client

    static let clientAnswer = MetricFamily.histogram(
        "carillon_apns_answer_seconds", by: ["app"], bounds: MetricFamily.shortBounds,
        "Time from the hand-over of a push to the APNs client to APNs' answer.")
    static let clientConnections = MetricFamily.gauge(
        "carillon_apns_connections", "Connections to APNs that take pushes.")
    static let clientStreams = MetricFamily.gauge(
        "carillon_apns_streams", "Pushes that await APNs' answer on a stream.")
    static let clientQueued = MetricFamily.gauge(
        "carillon_apns_queued", "Pushes that wait in the client for a connection with room.")
    static let clientOpened = MetricFamily.counter(
        "carillon_apns_connections_opened_total", "Connections to APNs that became ready, first ones and reconnects.")
    static let clientFailed = MetricFamily.counter(
        "carillon_apns_connections_failed_total", "Failed attempts to connect to APNs.")
    static let clientLost = MetricFamily.counter(
        "carillon_apns_connections_lost_total", "Connections to APNs that ended in use, without GOAWAY.")
    static let clientGoAways = MetricFamily.counter("carillon_apns_goaways_total", "GOAWAY frames of APNs.")
    static let clientSentAgain = MetricFamily.counter(
        "carillon_apns_sent_again_total", "Pushes that the client sent again, because APNs had not processed them.")
    static let clientTokens = MetricFamily.counter(
        "carillon_apns_provider_tokens_total", "Provider tokens that were signed.")

    static let all = [
        ready, role, sending, connections, connectionsRefused,
        messages, activities, channelRequests, pushes, receipts, events, unknownTokens, answered, shown,
        queueDepth, queueOldest, places, placesLimit, setAside,
        alarms, stopped, endingCredentials, credentialLeft, listenerCertificateLeft, refusedCredentials,
        transaction, failedTransactions, lockWait, connectionWait, waitingCalls,
        clientAnswer, clientConnections, clientStreams, clientQueued, clientOpened, clientFailed, clientLost,
        clientGoAways, clientSentAgain, clientTokens,
    ]
}
