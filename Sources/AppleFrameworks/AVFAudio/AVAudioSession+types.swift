import Foundation

extension AVAudioSession {
    /// The purpose for which an app uses sound.
    /// [AVAudioSession.Category](https://developer.apple.com/documentation/avfaudio/avaudiosession/category-swift.struct)
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// A setting that adapts an audio session's category to a use, such as voice calls.
    /// [AVAudioSession.Mode](https://developer.apple.com/documentation/avfaudio/avaudiosession/mode-swift.struct)
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
        public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
        public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
        public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
        public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
        @available(iOS 12, *)
        public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")
        public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
    }

    /// The options of an audio session's category.
    /// [AVAudioSession.CategoryOptions](https://developer.apple.com/documentation/avfaudio/avaudiosession/categoryoptions-swift.struct)
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let mixWithOthers = Self(rawValue: 0x1)
        public static let duckOthers = Self(rawValue: 0x2)
        public static let allowBluetooth = Self(rawValue: 0x4)
        public static let defaultToSpeaker = Self(rawValue: 0x8)
        public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
        @available(iOS 10, *)
        public static let allowBluetoothA2DP = Self(rawValue: 0x20)
        @available(iOS 10, *)
        public static let allowAirPlay = Self(rawValue: 0x40)
    }

    /// The options of activating or deactivating an audio session.
    /// [AVAudioSession.SetActiveOptions](https://developer.apple.com/documentation/avfaudio/avaudiosession/setactiveoptions)
    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let notifyOthersOnDeactivation = Self(rawValue: 1)
    }

    /// The audio output to use instead of the one that the system chooses.
    /// [AVAudioSession.PortOverride](https://developer.apple.com/documentation/avfaudio/avaudiosession/portoverride)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum PortOverride: UInt, Sendable {
        case none = 0
        /// The loudspeaker. The raw value is the four characters `spkr` as a number.
        case speaker = 0x7370_6B72
    }
}
