import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The sounds, opened links, haptics, announcements and donations of apps; the newest 500 of each kind.
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
