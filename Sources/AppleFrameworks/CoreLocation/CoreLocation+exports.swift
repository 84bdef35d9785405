// Apple's CoreLocation brings Foundation along.
@_exported import Foundation
