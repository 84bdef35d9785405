/// A payload on its way to the app.
///
/// `@unchecked`: nobody changes it, because it was decoded for this one notification.
struct UncheckedUserInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]

    init(_ value: [AnyHashable: Any]) { self.value = value }
}
