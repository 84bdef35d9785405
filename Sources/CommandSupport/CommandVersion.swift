/// The version that `carillon --version` prints.
package enum CommandVersion {
    /// The version: the newest section of CHANGELOG.md, with `-dev` before its release
    /// ([Semantic Versioning](https://semver.org)).
    package static let text = "0.1.0-dev"
}
