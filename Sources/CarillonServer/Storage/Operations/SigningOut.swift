import CarillonCore

/// Signs devices out: removes their users, and cancels the pushes that are queued for these users.
///
/// The devices must also remove the former users' messages, which may still be on the screen.
struct SigningOut: SessionPart {
    let session: StoreSession
    private let devices: DevicesTable
    private let kept: KeptDeliveries
    private let working: WorkingInSteps

    init(_ session: StoreSession) {
        self.session = session
        devices = DevicesTable(session)
        kept = KeptDeliveries(session)
        working = WorkingInSteps(session)
    }

    /// Signs a user out on all devices.
    ///
    /// - Returns: the number of devices on which the user was signed in.
    func signOut(_ user: UserReference) throws -> Int {
        let devices = try rows("SELECT id FROM devices WHERE app = ? AND user = ?", [user.app.rawValue, user.id])
        for row in devices { try signOut(row["id"] as String, by: .service) }
        return devices.count
    }

    func signOut(_ device: String, by caller: SignOutCaller) throws {
        guard let user = try devices.unbind(device) else { return }
        try DeletingActivities(session).withdraw(user, from: device)
        session.emit(.userSignedOut, on: device, of: user.app, user: user.id)
        try working.begin(
            .signOut(StepwiseWork.SigningOut(device: device, user: user.id, settled: caller.settled.rawValue)))
    }

    /// Continues the removal of a user's messages from a device after a sign-out, by one step of bounded size.
    ///
    /// - Returns: whether the task is finished.
    func step(_ signingOut: inout StepwiseWork.SigningOut) throws -> Bool {
        let limit = min(room, signingOut.left)
        let rows = try kept.deliveryRows(
            where: """
                show.device = ? AND show.user = ? AND show.state IN ('queued', 'accepted', 'unanswered')
                    AND messages.everyone = 0 AND show.answers & ? = 0 AND show.number < ?
                ORDER BY show.number DESC LIMIT ?
                """, [signingOut.device, signingOut.user, signingOut.settled, signingOut.before, limit])
        for row in rows { try kept.receive(.withdrawn(.signOut), forRow: row, SendingRules()) }
        room -= max(1, rows.count)
        signingOut.left -= rows.count
        signingOut.before = rows.last?["show_number"] ?? signingOut.before
        return rows.count < limit || signingOut.left == 0
    }
}
