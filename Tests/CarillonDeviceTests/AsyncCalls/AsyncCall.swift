import UIKit

/// The calls by which an app has code run later, as a file spells them that imports UIKit and not Foundation.
enum AsyncCall: CaseIterable, Sendable {
    case qualityOfService, flags, group, groupAndQualityOfService, afterWithQualityOfService, afterWallTime
    case workItem, workItemLater, groupNotification, timerSource
    case mainOperations, ownOperations, blockOperation, thread, detachedThread, runLoop
    case observerOnMain, observerHere
    case detachedTask, detachedTaskWithPriority, detachedTaskOnMain, detachedThrowingTask

    func perform(_ arrive: @escaping @Sendable () -> Void) {
        switch self {
        case .qualityOfService, .flags, .group, .groupAndQualityOfService, .afterWithQualityOfService, .afterWallTime:
            queue(arrive)
        case .workItem, .workItemLater, .groupNotification, .timerSource: item(arrive)
        case .mainOperations, .ownOperations, .blockOperation, .thread, .detachedThread, .runLoop: foundation(arrive)
        case .observerOnMain, .observerHere: observe(arrive)
        case .detachedTask: Task.detached { arrive() }
        case .detachedTaskWithPriority: Task.detached(priority: .low) { arrive() }
        case .detachedTaskOnMain: Task.detached { @MainActor in arrive() }
        case .detachedThrowingTask:
            Task.detached {
                try Task.checkCancellation()
                arrive()
            }
        }
    }

    private func queue(_ arrive: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        switch self {
        case .qualityOfService: DispatchQueue.global().async(qos: .utility) { arrive() }
        case .flags: DispatchQueue.main.async(flags: .barrier) { arrive() }
        case .group: DispatchQueue.global().async(group: group) { arrive() }
        case .groupAndQualityOfService: DispatchQueue.main.async(group: group, qos: .userInitiated) { arrive() }
        case .afterWithQualityOfService: DispatchQueue.main.asyncAfter(deadline: .now(), qos: .default) { arrive() }
        default: DispatchQueue.global().asyncAfter(wallDeadline: .now()) { arrive() }
        }
    }

    private func item(_ arrive: @escaping @Sendable () -> Void) {
        switch self {
        case .workItem: DispatchQueue.main.async(execute: DispatchWorkItem { arrive() })
        case .workItemLater:
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .milliseconds(1), execute: DispatchWorkItem(qos: .utility) { arrive() })
        case .groupNotification:
            let group = DispatchGroup()
            group.enter()
            group.notify(queue: .main) { arrive() }
            group.leave()
        default:
            let source = DispatchSource.makeTimerSource(queue: .global())
            source.setEventHandler {
                source.cancel()
                arrive()
            }
            source.schedule(deadline: .now())
            source.activate()
        }
    }

    private func foundation(_ arrive: @escaping @Sendable () -> Void) {
        switch self {
        case .mainOperations: OperationQueue.main.addOperation { arrive() }
        case .ownOperations: OperationQueue().addOperation { arrive() }
        case .blockOperation: OperationQueue().addOperation(BlockOperation { arrive() })
        case .thread: Thread { arrive() }.start()
        case .detachedThread: Thread.detachNewThread { arrive() }
        default: RunLoop.main.perform { arrive() }
        }
    }

    private func observe(_ arrive: @escaping @Sendable () -> Void) {
        let name = Notification.Name("arrived")
        let queue: OperationQueue? = self == .observerOnMain ? .main : nil
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: queue) { _ in arrive() }
        // From a queue that belongs to this phone, as when something of the app's has been loaded.
        DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: nil) }
    }
}
