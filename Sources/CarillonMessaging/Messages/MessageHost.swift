import CarillonCore

/// The app or its service extension, as far as a ``MessageInterpreter`` needs it.
@MainActor
package protocol MessageHost {
    /// Gives the policy an event: ``MessagePolicy/received(_:in:at:)``.
    func received(_ event: MessageEvent) -> [MessageAction]
    /// Writes down what is known.
    func save()
    /// Joins what the service extension has learnt; nothing in the extension itself.
    func takeOverFromExtension()
    /// Shows a number on the app's icon; nothing in the extension.
    func setBadge(_ count: Int, composedAt moment: Timestamp?) async
}
