import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The sounds, opened links, haptics, announcements and donations of apps; at most the newest 500 of each kind.
@MainActor final class PhoneRecords {
    private let kernel: PhoneKernel
    private(set) var sounds: [PlayedSound] = []
    private(set) var openedURLs: [OpenedURL] = []
    private(set) var deviceEvents: [RecordedDeviceEvent] = []
    private(set) var donations: [Donation] = []

    init(kernel: PhoneKernel) { self.kernel = kernel }

    func played(_ sound: String, by bundleID: String) {
        Self.append(PlayedSound(name: sound, bundleID: bundleID, at: kernel.now), to: &sounds)
        kernel.changed(.sound)
    }

    func opened(_ url: URL, by bundleID: String, inApp: Bool) {
        Self.append(OpenedURL(url: url, bundleID: bundleID, isInApp: inApp, at: kernel.now), to: &openedURLs)
        kernel.changed(.openedURL)
    }

    func noticed(_ event: SimulatedDeviceEvent, by bundleID: String) {
        switch event {
        case .haptic(let text): record(.haptic, text, bundleID)
        case .announcement(let text): record(.announcement, text, bundleID)
        case .openedInSafariView(let url): opened(url, by: bundleID, inApp: true)
        }
    }

    private func record(_ kind: RecordedDeviceEvent.Kind, _ text: String, _ bundleID: String) {
        Self.append(
            RecordedDeviceEvent(kind: kind, text: text, bundleID: bundleID, at: kernel.now), to: &deviceEvents)
        kernel.changed(.screen)
    }

    func donated(_ donation: InteractionDonation, by bundleID: String) {
        Self.append(
            Donation(
                bundleID: bundleID, identifier: donation.identifier, groupIdentifier: donation.groupIdentifier,
                isIncoming: donation.isIncoming, speaker: donation.communication.map(Speaker.init), at: kernel.now),
            to: &donations)
    }

    func forgetDonations(of bundleID: String, _ identifiers: [String]?, _ groupIdentifier: String?) {
        donations.removeAll { donation in
            donation.bundleID == bundleID && identifiers?.contains(donation.identifier) ?? true
                && groupIdentifier.map { $0 == donation.groupIdentifier } ?? true
        }
    }

    func forgetAll() {
        sounds = []
        openedURLs = []
        deviceEvents = []
        donations = []
    }

    private static func append<Record>(_ record: Record, to records: inout [Record]) {
        records.append(record)
        if records.count > PhoneLimits.records { records.removeFirst() }
    }
}

/// The sound of a notification.
public struct PlayedSound: Sendable, Hashable {
    /// The name of the sound file in the app, or `default`.
    public let name: String
    /// The bundle ID of the notification's app.
    public let bundleID: String
    /// The time at which the sound was played, by the phone's clock.
    public let at: Timestamp
}

/// A link that an app has opened.
public struct OpenedURL: Sendable, Hashable {
    /// The link, whether or not an app on the phone opens it.
    public let url: URL
    /// The bundle ID of the app that has opened the link; `com.apple.mobilesafari` for a link that the person has tapped.
    public let bundleID: String
    /// Whether the link opened in the app's own browser sheet (`SFSafariViewController`) instead of in Safari.
    public let isInApp: Bool
    /// The time at which the link was opened, by the phone's clock.
    public let at: Timestamp
}

/// A haptic of an app, or a VoiceOver announcement.
public struct RecordedDeviceEvent: Sendable, Hashable {
    /// The kind of event.
    public enum Kind: String, Sendable, Hashable { case haptic, announcement }

    /// The kind of the event.
    public let kind: Kind
    /// The kind of haptic, or the text that VoiceOver reads.
    public let text: String
    /// The bundle ID of the app that caused the event.
    public let bundleID: String
    /// The time of the event, by the phone's clock.
    public let at: Timestamp
}

/// A message or a call that an app has donated to the system (`INInteraction.donate`).
public struct Donation: Sendable, Hashable {
    /// The bundle ID of the donating app.
    public let bundleID: String
    /// The interaction's identifier.
    public let identifier: String
    /// The interaction's group identifier; `nil` if there is none.
    public let groupIdentifier: String?
    /// Whether the phone's owner receives the message or call, rather than sending it.
    public let isIncoming: Bool
    /// The person who sends the message or makes the call; `nil` for a message that the phone's owner sends.
    public let speaker: Speaker?
    /// The time of the donation, by the phone's clock.
    public let at: Timestamp
}
