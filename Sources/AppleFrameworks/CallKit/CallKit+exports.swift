// Apple's CallKit brings Foundation along.
@_exported import Foundation
