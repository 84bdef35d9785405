import Foundation
import UIKit

/// As apps keep them: in properties of Foundation's types with defaults, and in statics that outlive every launch.
struct KeptObjects {
    nonisolated(unsafe) static let settings: UserDefaults = .standard

    private let files: FileManager
    private let bundle: Bundle

    init(files: FileManager = .default, bundle: Bundle = .main) {
        self.files = files
        self.bundle = bundle
    }

    var folder: URL { files.urls(for: .documentDirectory, in: .userDomainMask)[0] }

    func text(_ key: String) -> String { NSLocalizedString(key, bundle: bundle, comment: "") }
}
