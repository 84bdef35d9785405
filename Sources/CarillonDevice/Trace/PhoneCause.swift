/// The event that has led to the running code, and its phone.
///
/// Tasks inherit it, also those that an app begins, and so do scheduled and queued calls.
struct PhoneCause: Sendable {
    @TaskLocal static var current: PhoneCause?

    let phone: ObjectIdentifier
    let event: Int
}
