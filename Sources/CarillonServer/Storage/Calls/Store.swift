import CarillonCore
import Foundation

/// Where the service keeps what it has promised.
///
/// One implementation a database engine; every one passes the same conformance suite.
///
/// What a call has done is durable when it returns: neither `kill -9` nor a power cut undoes it. Each call is one
/// transaction, unless its work grows with an audience: that is begun in one, and gone on with in further ones of bounded
/// size, between which other calls come; after a crash a sender's ``claim(_:at:)`` goes on. What a call
/// changed on a message's timeline comes back as events, so that the caller can tell those who watch.
///
/// A route, the sender and each command use one or two of its six groups of calls.
package protocol Store: AccountCalls, MessageCalls, DeviceCalls, InboxCalls, SendingCalls, UpkeepCalls {}
