import CarillonCore

/// Something that a transaction has made happen, and that the feed of an app with a reader tells.
enum FeedNote {
    /// An event of a timeline; `message` is the message's number.
    case timeline(TimelineEvent, message: Int64)
    /// Pushes of one chunk of a broadcast that APNs accepted; `first` is the chunk's first ordinal (running number in the app).
    case accepted(ArraySlice<SentPush>, app: AppNumber, first: Int64)
    case message(FeedEventType, MessageReference)
    /// Nothing is left to send of a message's revision.
    case finished(MessageReference, revision: Int)
    /// An event of an app as a whole, or of one of its webhooks.
    case app(FeedEventType, of: AppNumber, FeedDetails)
    case device(FeedEventType, String, of: AppNumber, user: String?, FeedDetails = FeedDetails())
}

/// Pushes of a broadcast that became sent, or accepted, in one commit, and that differ in their devices only.
struct FeedBatch: Hashable {
    var type: FeedEventType
    var message: MessageID
    var details: FeedDetails

    /// Groups pushes that APNs accepted; each has an event ``FeedEventType/pushSent`` and one ``FeedEventType/pushAccepted``.
    ///
    /// - Returns: the batches in the order in which they happened, each with the time of its last event and its positions in the
    ///   chunk.
    static func batches(of pushes: ArraySlice<SentPush>) -> [(batch: FeedBatch, at: Timestamp, places: DeviceSet)] {
        var (order, found): ([FeedBatch], [FeedBatch: (at: Timestamp, places: DeviceSet)]) = ([], [:])
        for push in pushes {
            guard let message = push.message, let place = ChunkPlace(number: push.number) else { continue }
            for note in push.notes(.accepted, SendingRules()) {
                let details = FeedDetails(purpose: note.purpose, revision: note.revision, attempt: note.attempt)
                let batch = FeedBatch(type: FeedEventType(note.event), message: message, details: details)
                if found[batch] == nil { order.append(batch) }
                found[batch, default: (note.at, DeviceSet())].places.insert(place.place)
                found[batch]?.at = note.at
            }
        }
        return order.compactMap { batch in found[batch].map { (batch, $0.at, $0.places) } }
    }
}
