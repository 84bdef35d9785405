import CarillonCore
import Foundation

/// The service's durable state.
///
/// There is one implementation for each database engine; all of them pass one conformance suite.
///
/// The changes of a call are durable when it returns: neither `kill -9` nor a power cut undoes them. Each call is one
/// transaction, unless its work grows with an audience. Such work is begun in one transaction and continued in further ones of
/// bounded size, between which other calls run. After a crash, a sender's ``claim(_:at:)`` continues it. A call returns the
/// events that it added to timelines, so that the caller can publish them.
///
/// A route, the sender and each command use one or two of its six groups of calls.
package protocol Store: AccountCalls, MessageCalls, DeviceCalls, InboxCalls, SendingCalls, UpkeepCalls {}
