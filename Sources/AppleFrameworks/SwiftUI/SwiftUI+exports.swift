// Apple's SwiftUI re-exports UIKit.
@_exported import Foundation
@_exported import UIKit
