/// The receive windows: those seen in APNs' own SETTINGS.
enum FlowControl {
    static let streamWindow = 65_535
    static let connectionWindow = 65_535

    /// How much to give back to the sender, once half of the connection's window is used up.
    static func increment(forWindow window: Int?) -> Int? {
        guard let window, window < connectionWindow / 2 else { return nil }
        return connectionWindow - window
    }
}
