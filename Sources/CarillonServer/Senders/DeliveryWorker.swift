import CarillonCore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Sends due pushes: performs the actions of ``SendingLoop`` and reports their outcomes to it.
///
/// The worker wakes when this process accepts a message and when a push falls due. It also wakes at regular
/// intervals, because another process may have accepted a message.
struct DeliveryWorker: Service {
    let service: ServiceContext
    let store: SendingCalls
    let sender: any NotificationSender

    func run() async throws {
        await withGracefulShutdownHandler {
            await work(untilIdle: false)
        } onGracefulShutdown: {
            service.signal.finish()
        }
    }

    /// Sends all pushes that are due now, and then ends the sender's leases (``Lease``).
    func sendAll() async { await work(untilIdle: true) }

    private func work(untilIdle: Bool) async {
        let run = SendingRun(service: service, store: store, sender: sender)
        var loop = SendingLoop(
            SendingLoop.Settings(lease: service.configuration.leaseDuration, poll: service.configuration.pollInterval))
        await withDiscardingTaskGroup { group in
            if !untilIdle {
                group.addTask {
                    for await _ in service.signal.wakes {
                        let changed = service.changedCredentials.withLock { apps in
                            defer { apps = [] }
                            return apps
                        }
                        run.tell(changed.isEmpty ? .woken : .credentialsChanged(changed))
                    }
                    run.tell(.drain)
                }
            }
            run.tell(.woken)
            for await event in run.events {
                let actions = loop.received(event, now: service.clock.now, uptime: service.clock.uptime)
                run.leaseEnd.withLock { $0 = loop.leaseEnd }
                if case .alarmsKnown(let apps) = event { run.note(alarms: apps) }
                tell(loop.sender?.number)
                service.health.update(loop.gates.alarms)
                run.keepAlarms(of: loop, in: &group)
                service.metrics.sender.update(loop.reading)
                var isFinished = false
                for action in actions {
                    if case .finish = action { isFinished = true } else { run.begin(action, in: &group) }
                }
                if isFinished || (untilIdle && loop.isIdle) { break }
            }
            group.cancelAll()
        }
        service.sendingAs.withLock { $0 = nil }
        run.stopTimer()
        service.metrics.sender.update(SenderGauge.Reading())
        if let sender = loop.sender, !Task.isCancelled { await run.leave(sender) }
    }
}

extension DeliveryWorker {
    /// Tells the number of this process's sender to its other parts: webhooks are claimed under it, and wait for it.
    private func tell(_ number: SenderNumber?) {
        let isNew = service.sendingAs.withLock { joined in
            defer { joined = number }
            return joined != number
        }
        if isNew { service.publisher.feeds.publish([()]) }
    }
}

extension SendingLoop {
    /// The number of pushes in flight, the limit on this number, and the end of the sender's lease (``Lease``), for metrics.
    fileprivate var reading: SenderGauge.Reading {
        SenderGauge.Reading(
            single: window.single, bulk: window.bulk, places: window.places,
            leaseEnd: sender == nil ? .zero : leaseEnd)
    }
}
