/// The progress of a recogniser with its current gesture.
@MainActor struct GestureProgress {
    var state = UIGestureRecognizer.State.possible
    /// The state that the recogniser enters when the recognisers that must fail first have failed; `nil` if it waits for none.
    var pending: UIGestureRecognizer.State?
    /// The recognisers that wait for this recogniser to fail.
    var dependents: [UIGestureRecognizer] = []
    /// Whether the finger was lifted.
    var isTouchOver = false
}

extension UIGestureRecognizer {
    var hasRecognised: Bool { state == .began || state == .changed || state == .ended }

    /// Whether the recogniser may still recognise its touches.
    private var isUndecided: Bool { state == .possible && (!touches.isEmpty || awaitsTouch) }

    func move(to new: State) {
        switch (progress.state, new) {
        case (.possible, .began), (.possible, .changed), (.possible, .ended): recognise(new)
        case (.possible, .failed), (.possible, .cancelled): fail()
        case (.possible, .possible): break
        case (_, .possible): reset()
        case (.began, _), (.changed, _):
            progress.state = new
            runActions()
        default: break
        }
    }

    /// Recognises the gesture, waits for other recognisers to fail, or fails.
    private func recognise(_ new: State) {
        guard mayBegin, !isPrevented else { return fail() }
        let obstacles = undecidedObstacles
        guard obstacles.isEmpty else {
            if progress.pending == nil { for obstacle in obstacles { obstacle.progress.dependents.append(self) } }
            progress.pending = new
            return
        }
        progress.pending = nil
        progress.state = new
        let beaten = rivals.filter { $0.state == .possible && prevents($0) } + progress.dependents
        for rival in beaten { rival.fail() }
        runActions()
        takeTouches()
        if progress.isTouchOver { reset() }
    }

    private func fail() {
        guard progress.state == .possible else { return }
        let waiting = progress.dependents
        progress.dependents = []
        progress.pending = nil
        progress.state = .failed
        for dependent in waiting { dependent.obstacleFailed() }
        if progress.isTouchOver { reset() }
    }

    private func obstacleFailed() {
        if let pending = progress.pending, undecidedObstacles.isEmpty { recognise(pending) }
    }

    /// Ends the current gesture, for example when the recogniser is switched off.
    func stop() {
        switch progress.state {
        case .possible: if !touches.isEmpty || awaitsTouch { fail() }
        case .began, .changed: move(to: .cancelled)
        default: break
        }
    }

    /// Ends the gesture after the finger was lifted: resets a recognised gesture, and lets an undecided one fail.
    ///
    /// An undecided gesture that waits for another touch or recogniser stays undecided.
    func touchIsOver() {
        progress.isTouchOver = true
        switch progress.state {
        case .possible:
            if progress.pending == nil, !awaitsTouch { fail() }
        default: reset()
        }
    }

    private var mayBegin: Bool {
        progress.pending != nil
            || (delegate?.gestureRecognizerShouldBegin(self) ?? true)
                && (view?.gestureRecognizerShouldBegin(self) ?? true)
    }

    private var rivals: [UIGestureRecognizer] { touches.flatMap(\.recognisers).filter { $0 !== self } }

    private var isPrevented: Bool { rivals.contains { $0.hasRecognised && $0.prevents(self) } }

    private func prevents(_ other: UIGestureRecognizer) -> Bool {
        let together =
            delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other) ?? false
            || other.delegate?.gestureRecognizer(other, shouldRecognizeSimultaneouslyWith: self) ?? false
        return !together && canPrevent(other) && other.canBePrevented(by: self)
    }

    private var undecidedObstacles: [UIGestureRecognizer] {
        let named = mustFailFirst.filter { other in !rivals.contains { $0 === other } }
        let among = rivals.filter { other in
            mustFailFirst.contains { $0 === other }
                || delegate?.gestureRecognizer(self, shouldRequireFailureOf: other) ?? false
                || other.delegate?.gestureRecognizer(other, shouldBeRequiredToFailBy: self) ?? false
        }
        return (named + among).filter(\.isUndecided)
    }

    /// Takes the touches away from the touched view, and tells the view that they are cancelled.
    private func takeTouches() {
        guard cancelsTouchesInView else { return }
        for touch in touches where !touch.isTaken {
            touch.isTaken = true
            if touch.wasDelivered { touch.view?.touchesCancelled([touch], with: touch.event) }
        }
    }
}
