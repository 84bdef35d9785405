import CarillonMessaging

/// Decides when the app receives a person's response to a notification: once, and not before it is ready.
///
/// After a cold start the app's screens do not exist yet, so what opens the app waits for them. A button that leaves the app in
/// the background does not: iOS may have launched the app for it without a scene, and then no screen comes. iOS may hand over
/// the same response twice, through the notification center's delegate and through a scene's connection options.
package struct ResponseRouter: Sendable, Hashable {
    /// What identifies a response: the notification, its date, and what the person did.
    package struct Key: Sendable, Hashable {
        /// The notification's `request.identifier`.
        let identifier: String
        /// The notification's date, in milliseconds since 1970.
        let shownAtMilliseconds: Int64
        let action: Carillon.Response.Action

        package init(identifier: String, shownAtMilliseconds: Int64, action: Carillon.Response.Action) {
            self.identifier = identifier
            self.shownAtMilliseconds = shownAtMilliseconds
            self.action = action
        }
    }

    private var isReady = false
    private var waiting: [Carillon.Response] = []
    private var delivered: [Key] = []

    package init() {}

    /// A response has come.
    ///
    /// - Parameters:
    ///   - response: what the person did.
    ///   - key: identifies it.
    ///   - opensApp: whether the response brings the app to the foreground.
    /// - Returns: the response, if the app is to receive it now; `nil` if it waits, or came before.
    package mutating func received(_ response: Carillon.Response, key: Key, opensApp: Bool) -> Carillon.Response? {
        guard !delivered.contains(key) else { return nil }
        delivered.append(key)
        if delivered.count > AppLimits.rememberedResponses { delivered.removeFirst() }
        if isReady || !opensApp { return response }
        waiting.append(response)
        if waiting.count > AppLimits.waitingResponses { waiting.removeFirst() }
        return nil
    }

    /// How many responses wait for the app to be ready.
    package var waitingCount: Int { waiting.count }

    /// Whether this response came before.
    func knows(_ key: Key) -> Bool { delivered.contains(key) }

    /// The app can show something now.
    ///
    /// - Returns: the responses that waited, oldest first.
    package mutating func becameReady() -> [Carillon.Response] {
        isReady = true
        defer { waiting = [] }
        return waiting
    }
}
