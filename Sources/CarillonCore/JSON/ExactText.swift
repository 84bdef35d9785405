/// A text that is compared and ordered by its bytes in UTF-8.
///
/// Swift's `==` treats texts that differ only in the composition of their characters, such as the two spellings of é, as equal. A
/// database, and the standard of JSON, do not.
package struct ExactText: Sendable, Hashable, Comparable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    package let text: String

    package init(_ text: String) { self.text = text }

    package init(stringLiteral text: String) { self.text = text }

    package var description: String { text }

    package static func == (one: Self, other: Self) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    package static func < (one: Self, other: Self) -> Bool { one.text.utf8.lexicographicallyPrecedes(other.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        hasher.combine(text.utf8.count)
    }
}
