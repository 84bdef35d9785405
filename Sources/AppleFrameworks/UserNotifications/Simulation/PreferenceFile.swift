import Foundation
import Synchronization
import _SystemFoundation

/// The user defaults of one domain: a property list in a file, which is written with every change.
///
/// On iOS, a separate system process keeps the settings.
@_spi(Simulation) public final class PreferenceFile: Sendable {
    private struct State: @unchecked Sendable {  // `@unchecked`: under the lock only
        /// The values by key; `nil` until the file has been read.
        var values: [String: Any]?
        var isDeleted = false
    }

    private let url: URL
    private let state = Mutex(State())

    public init(url: URL) { self.url = url }

    func value(forKey key: String) -> Any? { all[key] }

    var all: [String: Any] {
        let state = state.withLock { state -> State in
            load(&state)
            return state
        }
        return state.values ?? [:]
    }

    /// Sets a value.
    ///
    /// - Parameter value: a property list, or `nil` to remove the key. Any other value ends the app, as on iOS.
    func set(_ value: Any?, forKey key: String) {
        if let value, !PropertyListSerialization.propertyList(value, isValidFor: .binary) {
            return SimulatedDevices.hasMade(mistake: "settingNoPropertyList", "key \(key), a \(type(of: value))")
        }
        let change = State(values: value.map { [key: $0] } ?? [:])
        state.withLock { state in
            load(&state)
            guard state.values != nil, !state.isDeleted else { return }
            state.values?[key] = change.values?[key]
            write(state.values ?? [:])
        }
    }

    /// Empties the settings after their app was deleted; the app's remaining code can no longer write the file.
    func delete() {
        state.withLock { state in
            state.values = [:]
            state.isDeleted = true
        }
    }

    /// Loads the file, unless it is loaded already.
    ///
    /// If the file exists but cannot be read, for instance before the phone's first unlock, `values` stays `nil`. So the
    /// file is not replaced by an empty one.
    private func load(_ state: inout State) {
        guard state.values == nil else { return }
        guard FileManager.system.fileExists(atPath: url.path) else {
            state.values = [:]
            return
        }
        guard let data = try? Data(contentsOf: url) else { return }
        state.values = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
    }

    private func write(_ values: [String: Any]) {
        guard let data = try? PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        else { return }
        let folder = url.deletingLastPathComponent()
        try? FileManager.system.createDirectory(at: folder, withIntermediateDirectories: true)
        try? data.write(to: url, options: .atomic)
    }
}
