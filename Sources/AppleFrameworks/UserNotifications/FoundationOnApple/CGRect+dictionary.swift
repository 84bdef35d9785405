import Foundation

/// Differs from iOS: Foundation's own dictionary.
public typealias CFDictionary = NSDictionary

/// A rectangle as a dictionary, as ``UNNotificationAttachmentOptionsThumbnailClippingRectKey`` takes it.
extension CGRect {
    public var dictionaryRepresentation: CFDictionary {
        ["X": Double(minX), "Y": Double(minY), "Width": Double(width), "Height": Double(height)] as NSDictionary
    }

    /// - Parameter dict: with X, Y, Width and Height; `nil` comes of one that lacks any.
    public init?(dictionaryRepresentation dict: CFDictionary) {
        let numbers = ["X", "Y", "Width", "Height"].compactMap { dict[$0] as? Double }
        guard numbers.count == 4 else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}
