/// An error for two opening braces without a valid name of a variable after them.
package struct InvalidTextTemplate: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(quoted: String) {
        description =
            #"has "\#(quoted.prefix(DeliveryLimits.quotedKeyCharacters))", which is no variable: write {{name}}, with letters, digits, _, - and . in it, or \{{ for two braces as they are"#
    }
}
