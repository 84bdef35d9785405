/// The version that `carillon --version` prints.
package enum CommandVersion {
    /// The version of the newest section of CHANGELOG.md, with `-dev` until its release
    /// ([Semantic Versioning](https://semver.org)).
    package static let text = "0.1.0-dev"
}
