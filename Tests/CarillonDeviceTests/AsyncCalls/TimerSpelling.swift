import UIKit

/// The ways in which people write a timer of ten seconds, in a file that imports UIKit and not Foundation.
enum TimerSpelling: CaseIterable, Sendable {
    case scheduled, usingItsArgument, addedToMain, addedToCurrent, withFireDate

    @MainActor func make(repeats: Bool, tick: @escaping @Sendable () -> Void) -> Timer {
        switch self {
        case .scheduled: return .scheduledTimer(withTimeInterval: 10, repeats: repeats) { _ in tick() }
        case .usingItsArgument:
            return Timer.scheduledTimer(withTimeInterval: 10, repeats: repeats) { timer in
                let isValid: Bool = timer.isValid
                if isValid { tick() }
            }
        case .addedToMain:
            let timer = Timer(timeInterval: 10, repeats: repeats) { _ in tick() }
            RunLoop.main.add(timer, forMode: .common)
            RunLoop.main.add(timer, forMode: .default)
            return timer
        case .addedToCurrent:
            let timer = Timer(timeInterval: 10, repeats: repeats) { _ in tick() }
            RunLoop.current.add(timer, forMode: .common)
            return timer
        case .withFireDate:
            let timer = Timer(fire: Date(timeIntervalSinceNow: 10), interval: 10, repeats: repeats) { _ in tick() }
            RunLoop.main.add(timer, forMode: .common)
            return timer
        }
    }
}
