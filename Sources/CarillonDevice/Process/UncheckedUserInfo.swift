/// A payload on its way to the app.
///
/// Nobody changes it: it was decoded for this one notification.
struct UncheckedUserInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]

    init(_ value: [AnyHashable: Any]) { self.value = value }
}
