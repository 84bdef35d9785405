/// Figures that may only improve: a change that improves one lowers it here, and no change raises it again.
enum Ratchets {
    /// The most lines of code of a type, without comments and blank lines, over all its files and extensions.
    ///
    /// A type inside another has a count of its own, and counts for its owner in ``largerOwners`` too.
    static let typeLimit = 450
    /// The types that are larger together with the types inside them, which may only shrink.
    static let largerOwners = [
        "CarillonAPNs.Pool": 525, "CarillonApp.Carillon": 789, "CarillonDevice.Notifications": 462,
        "CarillonDevice.Phone": 827,
    ]
    /// The types that are larger, and may only shrink; types that mirror Apple's are exempt.
    static let largerTypes = ["CarillonAPNs.Pool": 520]
    /// The number of lines of the longest function in Sources, from its signature to its closing bracket.
    static let longestFunction = 39
}
