/// The reason for the end of a call that the person has not ended.
/// [CXCallEndedReason](https://developer.apple.com/documentation/callkit/cxcallendedreason)
public enum CXCallEndedReason: Int, Sendable {
    case failed = 1
    case remoteEnded = 2
    case unanswered = 3
    case answeredElsewhere = 4
    case declinedElsewhere = 5
}
