import CarillonCore
import CarillonMessaging
import CarillonProve

/// The scheduler of the SDK's work: pieces run until the outside has to answer, and the step may stop them there.
extension SDKWorld {
    /// Starts work, with pieces in their order.
    @discardableResult
    mutating func start(
        _ title: String, in place: Work.Place = .app, _ pieces: [Piece], lessons: [Lesson] = []
    ) -> Int {
        workCount += 1
        var work = Work(id: workCount, place: place, title: title, lessons: lessons)
        work.first(pieces)
        works.append(work)
        return workCount
    }

    /// Lets all work go on until it is done, is suspended, or waits for other work.
    mutating func runAll() {
        var hasMoved = true
        while hasMoved {
            hasMoved = false
            for id in works.map(\.id) {
                while runPiece(of: id) { hasMoved = true }
            }
        }
        if let app, app.wakeCount > 10 {
            broke(.retriesPause, "The SDK woke itself more than ten times without a pause.")
        }
    }

    /// Carries out the next piece of some work; returns whether it could.
    private mutating func runPiece(of id: Int) -> Bool {
        guard let index = works.firstIndex(where: { $0.id == id }), !works[index].isSuspended else { return false }
        guard let piece = works[index].pieces.popLast() else {
            works.remove(at: index)
            return true
        }
        guard carryOut(piece, id) else {
            if let index = works.firstIndex(where: { $0.id == id }) { works[index].pieces.append(piece) }
            return false
        }
        return true
    }

    /// Changes some work that may have ended meanwhile.
    mutating func change(_ id: Int, _ edit: (inout Work) -> Void) {
        if let index = works.firstIndex(where: { $0.id == id }) { edit(&works[index]) }
    }

    func work(_ id: Int) -> Work? { works.first { $0.id == id } }

    /// The outcome of a question to the outside.
    enum Question { case answered, isPending, isDoneWithoutAnswer }

    /// Asks the outside; the step may stop the work here, before or after the outside has done what it was asked.
    ///
    /// - Parameters:
    ///   - id: the work.
    ///   - before: what is told if the outside has not done it yet.
    ///   - after: what is told if the outside has done it, and has not answered yet; `nil` if nothing can happen in between.
    mutating func ask(_ id: Int, before: String, after: String?) -> Question {
        if work(id)?.wasAsked == true {
            change(id) { $0.wasAsked = false }
            return .answered
        }
        let number = run.questionCount
        run.questionCount += 1
        guard let pause = run.pause, pause.question == number, !(pause.isDone && after == nil) else { return .answered }
        let text = pause.isDone ? after ?? before : before
        run.paused = text
        change(id) {
            $0.isSuspended = true
            $0.wasAsked = !pause.isDone
            $0.pending = text
        }
        return pause.isDone ? .isDoneWithoutAnswer : .isPending
    }

    /// Carries out a piece; returns `false` if it has to wait.
    private mutating func carryOut(_ piece: Piece, _ id: Int) -> Bool {
        switch piece {
        case .treat, .extensionReceipts, .extensionAnswer, .giveContent: carryOutInExtension(piece, id)
        case .lockRequests, .unlockRequests, .request, .answer, .exchange, .scheduleRetry:
            carryOutRequest(piece, id)
        case .step(let step): work(id)?.place == .ext ? extensionStep(step, id) : appStep(step, id)
        default: carryOutInApp(piece, id)
        }
    }

    /// Puts a notification at the top of Notification Center.
    mutating func putInList(_ arrival: Piece.Arrival) {
        let userInfo: [String: JSONValue]
        var identifier = plot.pushes[arrival.push].id?.rawValue ?? ""
        if let local = arrival.local {
            userInfo = local.userInfo
            identifier = local.identifier
        } else if arrival.isWithheld {
            userInfo = instructions(of: arrival.push).message?.noticePayload ?? [:]
        } else {
            userInfo = payload(of: arrival.push)
        }
        var message = PushInterpreter().instructions(for: userInfo).message
        message?.identifier = identifier
        list.removeAll { $0.notification.identifier == identifier }
        let notification = DeliveredNotification(
            identifier: identifier, userInfo: userInfo, message: message, alertedAt: arrival.isQuiet ? nil : now)
        list.insert(
            Listed(
                notification: notification, push: arrival.local == nil ? arrival.push : nil,
                isWithheld: arrival.isWithheld), at: 0)
    }

    /// Lets a notification arrive on the phone: iOS asks an app in front how to show it.
    mutating func arrive(_ arrival: Piece.Arrival) {
        guard app?.isFront == true else {
            putInList(arrival)
            let key = revision(of: arrival.push)
            if arrival.isWithheld {
                run.effects.append("a notice stands in its place")
            } else {
                run.effects.append("\(title(arrival.push)) is shown\(arrival.isQuiet ? " without a sound" : "")")
                if !arrival.isQuiet, !plot.pushes[arrival.push].isNotice {
                    knowledge.learn(.alerted(key), in: .ext, isSaved: isExtensionSaved)
                }
            }
            return
        }
        start(
            "iOS asks the app how to show \(title(arrival.push))",
            [.takeOver, .present(arrival), .exchange(needsSync: false), .saveWhatMatters, .complete])
    }
}
