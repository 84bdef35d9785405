/// The keys of `aps` that Apple documents for alert and background pushes, in the order of the page.
/// [Generating a remote notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification)
enum KnownApsKey: String, CaseIterable {
    case alert
    case badge
    case sound
    case threadID = "thread-id"
    case category
    case contentAvailable = "content-available"
    case mutableContent = "mutable-content"
    case targetContentID = "target-content-id"
    case interruptionLevel = "interruption-level"
    case relevanceScore = "relevance-score"
    case filterCriteria = "filter-criteria"
}
