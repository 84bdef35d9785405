// An app that imports CarillonApp gets the names that its API speaks in (`MessageID`, `JSONValue`, `Timestamp`, …): the
// core is no product of its own.
@_exported import CarillonCore
