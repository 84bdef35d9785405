import Foundation
import Synchronization

/// A background task that the app runs now. [BGTask](https://developer.apple.com/documentation/backgroundtasks/bgtask)
open class BGTask: NSObject {
    private struct State: Sendable {
        var expirationHandler: (@Sendable () -> Void)?
    }

    public let identifier: String
    private let state = Mutex(State())
    private let complete: @Sendable (Bool) -> Void

    @_spi(Simulation) public required init(identifier: String, complete: @escaping @Sendable (Bool) -> Void) {
        self.identifier = identifier
        self.complete = complete
        super.init()
    }

    /// The closure that the phone calls when the task's time is over, as the last chance to call
    /// ``setTaskCompleted(success:)``.
    @preconcurrency open var expirationHandler: (@Sendable () -> Void)? {
        get { state.withLock(\.expirationHandler) }
        set { state.withLock { $0.expirationHandler = newValue } }
    }

    /// Reports that the task has succeeded or failed.
    open func setTaskCompleted(success: Bool) { complete(success) }
}

/// A short background task that prepares new content for the app's next opening.
/// [BGAppRefreshTask](https://developer.apple.com/documentation/backgroundtasks/bgapprefreshtask)
open class BGAppRefreshTask: BGTask {}

/// A background task that may take several minutes.
/// [BGProcessingTask](https://developer.apple.com/documentation/backgroundtasks/bgprocessingtask)
open class BGProcessingTask: BGTask {}
