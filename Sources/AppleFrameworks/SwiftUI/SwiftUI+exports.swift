// Apple's SwiftUI brings UIKit along.
@_exported import Foundation
@_exported import UIKit
