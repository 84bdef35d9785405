import Foundation
@_spi(Simulation) import UserNotifications

/// The process of a running app.
///
/// It tells the simulated phone what the app tells CallKit: reports of calls, and requests for actions.
@_spi(Simulation) public protocol CallHost: SimulatedProcess {
    /// The calls on the phone that have not ended.
    var currentCalls: [CXCall] { get }

    func made(_ provider: CXProvider)
    func made(_ observer: CXCallObserver)
    func report(
        newCall id: UUID, _ update: CXCallUpdate, from provider: CXProvider,
        completion: @escaping @Sendable ((any Error)?) -> Void)
    func report(_ id: UUID, _ event: CallReport)
    func request(_ transaction: CXTransaction, completion: @escaping @Sendable ((any Error)?) -> Void)
    func ended(_ provider: CXProvider)
}
