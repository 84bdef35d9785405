import CarillonCore
import CarillonDevice
import Foundation
import Intents
import Testing
import UIKit

/// A chat app's service extension, as people write it: donates the message, then shows who wrote it.
final class ChatExtension: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let userInfo = request.content.userInfo
        let avatar = INImage(imageData: Data("picture".utf8))
        let sender = INPerson(
            personHandle: INPersonHandle(value: "ann@example.com", type: .emailAddress), nameComponents: nil,
            displayName: userInfo["sender"] as? String, image: avatar, contactIdentifier: nil,
            customIdentifier: "u-ann", isMe: false, suggestionType: .none)
        let me = INPerson(
            personHandle: INPersonHandle(value: "", type: .unknown), nameComponents: nil, displayName: nil, image: nil,
            contactIdentifier: nil, customIdentifier: nil, isMe: true, suggestionType: .none)
        let others = (userInfo["others"] as? [String] ?? []).map { name in
            INPerson(
                personHandle: INPersonHandle(value: name, type: .unknown), nameComponents: nil, displayName: name,
                image: nil, contactIdentifier: nil, customIdentifier: name)
        }
        let intent = INSendMessageIntent(
            recipients: [me] + others, outgoingMessageType: .outgoingMessageText, content: request.content.body,
            speakableGroupName: (userInfo["group"] as? String).map(INSpeakableString.init(spokenPhrase:)),
            conversationIdentifier: "c-1", serviceName: nil, sender: sender, attachments: nil)
        intent.setImage(avatar, forParameterNamed: \.sender)
        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.groupIdentifier = "chat"
        interaction.donate(completion: nil)
        do {
            // Cast as many apps cast it.
            let updated = try request.content.updating(from: intent)
            contentHandler((updated as? UNMutableNotificationContent) ?? request.content)
        } catch {
            contentHandler(request.content)
        }
    }
}

@MainActor @Suite("Communication notifications") struct CommunicationTests {
    private let id = TestPhone.bundleID
    private let message: JSONValue = [
        "aps": ["alert": ["title": "New message", "body": "Hello"], "mutable-content": 1], "sender": "Ann",
    ]
    private let inGroup: JSONValue = [
        "aps": ["alert": ["title": "New message", "body": "Hello"], "mutable-content": 1], "sender": "Ann",
        "others": ["Bob", "Cy"], "group": "Rowing",
    ]

    private func received(
        _ payload: JSONValue, entitlements: Set<AppBundle.Entitlement> = [.communication],
        _ prepare: (Phone) -> Void = { _ in }, _ look: (TestPhone, PushTrace) throws -> Void
    ) async throws {
        try await TestPhone.run { test in
            try await test.extensionApp(entitlements: entitlements) { _ in ChatExtension() }
            prepare(test.phone)
            try look(test, try await test.push(payload, collapseID: "m1"))
        }
    }

    @Test("the sender is the title, beside a picture; the app's donation is noted")
    func message() async throws {
        try await received(message) { test, _ in
            let content = try #require(test.shown.first?.content)
            #expect(content.title == "Ann" && content.subtitle.isEmpty && content.body == "Hello")
            let speaker = try #require(test.phone.speaker(of: "m1", in: id))
            #expect(speaker.name == "Ann" && speaker.group == nil && !speaker.isCall)
            #expect(speaker.picture == Data("picture".utf8) && speaker.conversationIdentifier == "c-1")
            let donation = try #require(test.phone.donations.first)
            #expect(donation.isIncoming && donation.speaker == speaker && donation.groupIdentifier == "chat")
        }
    }

    @Test("a group's name is the subtitle; a name given to a conversation of two is not")
    func group() async throws {
        try await received(inGroup) { test, _ in
            #expect(test.shown.first?.content.title == "Ann" && test.shown.first?.content.subtitle == "Rowing")
        }
        try await received([
            "aps": ["alert": "Hello", "mutable-content": 1], "sender": "Ann", "group": "Ann",
        ]) { test, _ in
            #expect(test.shown.first?.content.subtitle == "")
        }
    }

    @Test("a Focus lets through whom the person has allowed, by handle or by the app's own identifier")
    func focus() async throws {
        for person in ["ann@example.com", "u-ann"] {
            try await received(message) {
                $0.settings.setFocus(true)
                $0.settings.allowInFocus(person)
            } _: { _, trace in
                #expect(trace.presentation?.banner == true)
            }
        }
        try await received(message) {
            $0.settings.setFocus(true)
            $0.settings.allowInFocus("bob@example.com")
        } _: { _, trace in
            #expect(trace.presentation?.banner == false)
        }
    }

    @Test("a message of a person does not wait for the scheduled summary")
    func summary() async throws {
        try await received(message) {
            try? $0.settings.change(of: id) { $0.scheduledSummary = true }
        } _: { _, trace in
            #expect(trace.presentation?.banner == true && trace.presentation?.waitsForSummary == false)
        }
    }

    @Test("without the capability the text is the updated one, and who speaks is not shown")
    func withoutCapability() async throws {
        try await received(message, entitlements: []) { test, _ in
            #expect(test.shown.first?.content.title == "Ann" && test.phone.speaker(of: "m1", in: id) == nil)
        }
    }

    private final class OwnProvider: NSObject, UNNotificationContentProviding {}

    private func person(_ name: String?, handle: String = "") -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: handle, type: .unknown), nameComponents: nil, displayName: name,
            image: nil, contactIdentifier: nil, customIdentifier: nil)
    }

    private func error(_ provider: any UNNotificationContentProviding) -> UNError.Code? {
        do {
            _ = try UNNotificationContent().updating(from: provider)
            return nil
        } catch { return (error as? UNError)?.code }
    }

    @Test("objects of the app's own, and messages from nobody, are refused")
    func refused() {
        #expect(error(OwnProvider()) == .contentProvidingObjectNotAllowed)
        let fromMe = INSendMessageIntent(
            recipients: [person("Bob")], content: "Hello", speakableGroupName: nil, conversationIdentifier: nil,
            serviceName: nil, sender: nil)
        #expect(error(fromMe) == .contentProvidingInvalid)
        let toNobody = INStartCallIntent(
            audioRoute: .unknown, destinationType: .normal, contacts: nil, recordTypeForRedialing: .unknown,
            callCapability: .unknown)
        #expect(error(toNobody) == .contentProvidingInvalid)
    }

    @Test("a call's title is who calls; an attributed message's body is its text; the rest stays as it was")
    func callAndAttributed() throws {
        let content = UNMutableNotificationContent()
        (content.title, content.body, content.userInfo) = ("Call", "Ringing", ["call": 1])
        let call = INStartCallIntent(
            callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
            contacts: [person(nil, handle: "+49 30 1"), person("Bob")], callCapability: .audioCall)
        let updated = try content.updating(from: call)
        #expect(updated.title == "+49 30 1" && updated.subtitle == "To you & Bob" && updated.body == "Ringing")
        #expect(updated.userInfo["call"] as? Int == 1 && content.title == "Call" && updated != content)
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hello", speakableGroupName: nil,
            conversationIdentifier: "c", serviceName: nil, sender: person("Ann"), attachments: nil)
        let context = UNNotificationAttributedMessageContext(
            sendMessageIntent: intent, attributedContent: NSAttributedString(string: "Hello, world"))
        #expect(try content.updating(from: context).body == "Hello, world")
        let metadata = INSendMessageIntentDonationMetadata()
        metadata.recipientCount = 5
        intent.donationMetadata = metadata
        #expect(try content.updating(from: intent).subtitle == "To you & 4 others")
    }

    @Test("an app takes its donations back, by identifier, by group, or all")
    func deletes() async throws {
        try await AppUnderTest.run { app, _ in
            try await app.openAndAllow()
            await app.phone.run(in: id) {
                for (name, group) in [("a", "one"), ("b", "two"), ("c", "two")] {
                    let interaction = INInteraction(
                        intent: INSendMessageIntent(
                            recipients: nil, content: nil, speakableGroupName: nil, conversationIdentifier: nil,
                            serviceName: nil, sender: nil), response: nil)
                    (interaction.identifier, interaction.groupIdentifier) = (name, group)
                    interaction.donate()
                }
            }
            try await app.phone.settled()
            #expect(app.phone.donations.map(\.identifier) == ["a", "b", "c"])
            await app.phone.run(in: id) { INInteraction.delete(with: ["a"]) }
            try await app.phone.settled()
            #expect(app.phone.donations.map(\.identifier) == ["b", "c"])
            await app.phone.run(in: id) { INInteraction.delete(with: "two") }
            try await app.phone.settled()
            #expect(app.phone.donations.isEmpty)
        }
    }
}
