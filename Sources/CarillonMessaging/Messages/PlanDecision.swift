/// A decision of ``MessagePolicy`` about the steps that follow an answer of iOS.
///
/// Two decisions are equal if their names and inputs are. So a plan that waits for iOS can be compared, printed, and recognised
/// by a search of all histories.
package struct PlanDecision<Answer>: Sendable {
    typealias Function = @Sendable (inout MessagePolicy, Answer, MessageMoment) -> MessagePlan

    /// The name of the decision, such as `"keep away"`; no other decision has it.
    package let name: String
    /// All values that the decision uses beside the policy, the answer and the moment.
    private let inputs: [any Hashable & Sendable]
    private let decide: Function

    /// Makes a decision.
    ///
    /// - Parameters:
    ///   - name: the name of the decision; no other decision has it.
    ///   - inputs: every value that `decide` captures.
    ///   - decide: changes the policy, and returns the steps that follow.
    init(_ name: String, _ inputs: [any Hashable & Sendable] = [], decide: @escaping Function) {
        self.name = name
        self.inputs = inputs
        self.decide = decide
    }

    /// Decides, given the answer of iOS.
    package func callAsFunction(
        _ policy: inout MessagePolicy, _ answer: Answer, _ moment: MessageMoment
    ) -> MessagePlan { decide(&policy, answer, moment) }
}

extension PlanDecision: Hashable {
    package static func == (one: Self, other: Self) -> Bool {
        one.name == other.name && one.inputs.map { AnyHashable($0) } == other.inputs.map { AnyHashable($0) }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        for input in inputs { hasher.combine(AnyHashable(input)) }
    }
}

/// Steps with their decisions: `name` and `inputs` are those of the ``PlanDecision``.
extension MessagePlan.Step {
    static func remove(
        _ identifiers: [String], as name: String, _ inputs: any Hashable & Sendable...,
        decide: @escaping PlanDecision<RemovalOutcome>.Function
    ) -> Self { .remove(identifiers, then: PlanDecision(name, inputs, decide: decide)) }

    static func add(
        _ notification: LocalNotification, as name: String, _ inputs: any Hashable & Sendable...,
        decide: @escaping PlanDecision<String?>.Function
    ) -> Self { .add(notification, then: PlanDecision(name, inputs, decide: decide)) }

    static func find(
        _ identifier: String, as name: String, _ inputs: any Hashable & Sendable...,
        decide: @escaping PlanDecision<DeliveredNotification?>.Function
    ) -> Self { .find(identifier, then: PlanDecision(name, inputs, decide: decide)) }

    static func readList(
        as name: String, decide: @escaping PlanDecision<[DeliveredNotification]>.Function
    ) -> Self { .readList(then: PlanDecision(name, decide: decide)) }

    static func decide(
        as name: String, _ inputs: any Hashable & Sendable..., decide: @escaping PlanDecision<Void>.Function
    ) -> Self { .decide(PlanDecision(name, inputs, decide: decide)) }
}
