/// Which of Apple's two environments a device token belongs to; the app says it for each token.
public enum APNsEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    /// Apps from the App Store, from TestFlight and of an enterprise.
    case production
    /// Apps that Xcode has installed.
    case sandbox
}
