import Foundation
import UIKit

/// The calls that find their phone also in a file that imports Foundation by name, spelled in such a file.
enum AsyncCallBesideFoundation: CaseIterable, Sendable {
    case queue, queueWithGroup, later, workItem, groupNotification, mainOperations, observer, detachedTask

    func perform(_ arrive: @escaping @Sendable () -> Void) {
        switch self {
        case .queue: DispatchQueue.global(qos: .utility).async { arrive() }
        case .queueWithGroup: DispatchQueue.main.async(group: DispatchGroup()) { arrive() }
        case .later: DispatchQueue.main.asyncAfter(deadline: .now()) { arrive() }
        case .workItem: DispatchQueue.main.async(execute: DispatchWorkItem { arrive() })
        case .groupNotification: DispatchGroup().notify(queue: .main) { arrive() }
        case .mainOperations: OperationQueue.main.addOperation { arrive() }
        case .observer:
            let name = Notification.Name("arrived")
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in arrive() }
            DispatchQueue.global().async { NotificationCenter.default.post(name: name, object: nil) }
        case .detachedTask: Task.detached { @MainActor in arrive() }
        }
    }

    /// A timer that Foundation takes, since its block uses the argument.
    @MainActor static func lostTimer(after seconds: Double) -> Timer {
        Timer.scheduledTimer(withTimeInterval: seconds, repeats: true) { timer in timer.invalidate() }
    }

    /// One that is the phone's even here.
    @MainActor static func timer(_ tick: @escaping @Sendable () -> Void) -> Timer {
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in tick() }
    }
}
