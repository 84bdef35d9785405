import Parcel
import UIKit

@main
final class AppDelegate: ParcelAppDelegate {}
