/// Which event of which phone has led to what is running now.
///
/// It goes along with tasks, also with those that an app begins, and with what is scheduled or put in line.
struct PhoneCause: Sendable {
    @TaskLocal static var current: PhoneCause?

    let phone: ObjectIdentifier
    let event: Int
}
