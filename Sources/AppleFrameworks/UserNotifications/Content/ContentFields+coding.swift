import Foundation

/// The archiving of a notification's content.
///
/// `userInfo` is archived as a binary property list. `NSNull` members of a push are omitted, because a property list cannot
/// contain them.
extension ContentFields {
    init?(coder: NSCoder) {
        self.init()
        body = coder.decodeText("body") ?? ""
        categoryIdentifier = coder.decodeText("categoryIdentifier") ?? ""
        launchImageName = coder.decodeText("launchImageName") ?? ""
        subtitle = coder.decodeText("subtitle") ?? ""
        threadIdentifier = coder.decodeText("threadIdentifier") ?? ""
        title = coder.decodeText("title") ?? ""
        summaryArgument = coder.decodeText("summaryArgument") ?? ""
        summaryArgumentCount = coder.decodeInteger(forKey: "summaryArgumentCount")
        targetContentIdentifier = coder.decodeText("targetContentIdentifier")
        filterCriteria = coder.decodeText("filterCriteria")
        badge = coder.decodeObject(of: NSNumber.self, forKey: "badge")
        sound = coder.decodeObject(of: UNNotificationSound.self, forKey: "sound")
        relevanceScore = coder.decodeDouble(forKey: "relevanceScore")
        let level = UInt(bitPattern: coder.decodeInteger(forKey: "interruptionLevel"))
        interruptionLevel = UNNotificationInterruptionLevel(rawValue: level) ?? .active
        let archived = coder.decodeObject(of: [NSArray.self, UNNotificationAttachment.self], forKey: "attachments")
        attachments = archived as? [UNNotificationAttachment] ?? []
        if let data = coder.decodeObject(of: NSData.self, forKey: "communication") {
            communication = try? JSONDecoder().decode(Communication.self, from: Data(referencing: data))
        }
        guard let list = coder.decodeObject(of: NSData.self, forKey: "userInfo") else { return }
        let read = try? PropertyListSerialization.propertyList(from: Data(referencing: list), format: nil)
        userInfo = read as? [String: Any] ?? [:]
    }

    func encode(with coder: NSCoder) {
        coder.encodeText(body, "body")
        coder.encodeText(categoryIdentifier, "categoryIdentifier")
        coder.encodeText(launchImageName, "launchImageName")
        coder.encodeText(subtitle, "subtitle")
        coder.encodeText(threadIdentifier, "threadIdentifier")
        coder.encodeText(title, "title")
        coder.encodeText(summaryArgument, "summaryArgument")
        coder.encode(summaryArgumentCount, forKey: "summaryArgumentCount")
        coder.encodeText(targetContentIdentifier, "targetContentIdentifier")
        coder.encodeText(filterCriteria, "filterCriteria")
        coder.encode(badge, forKey: "badge")
        coder.encode(sound, forKey: "sound")
        coder.encode(relevanceScore, forKey: "relevanceScore")
        coder.encode(Int(bitPattern: interruptionLevel.rawValue), forKey: "interruptionLevel")
        coder.encode(NSArray(array: attachments), forKey: "attachments")
        coder.encode(Self.propertyList(userInfo), forKey: "userInfo")
        let data = communication.flatMap { try? JSONEncoder().encode($0) }
        coder.encode(data.map { NSData(data: $0) }, forKey: "communication")
    }

    private static func propertyList(_ userInfo: [AnyHashable: Any]) -> NSData? {
        let list = withoutNull(userInfo)
        let data = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        return data.map { NSData(data: $0) }
    }

    private static func withoutNull(_ value: Any) -> Any {
        switch value {
        case let members as [AnyHashable: Any]:
            var kept: [String: Any] = [:]
            for (key, member) in members where !(member is NSNull) {
                if let name = key.base as? String { kept[name] = withoutNull(member) }
            }
            return kept
        case let elements as [Any]: return elements.filter { !($0 is NSNull) }.map(withoutNull)
        default: return value
        }
    }
}
