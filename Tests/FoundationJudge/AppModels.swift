// Classes of published apps: the keys and the methods of their decoding code, and the decoded values.

import Foundation

private let text = AppObject.Method.object([NSString.self])
private let url = AppObject.Method.object([NSURL.self])
private let date = AppObject.Method.object([NSDate.self])

extension AppModel {
  /// The models by their names; a version decodes what its release of the app does, and nothing older.
  static let all: [String: AppModel] = [
    "Devices@v1": AppModel(classes: [
      "MSDeviceHistoryInfo": DeviceHistory.self, "MSDevice": Device.self,
    ]),
    "Devices@v2": AppModel(classes: [
      "MSACDeviceHistoryInfo": DeviceHistory.self, "MSACDevice": Device.self,
    ]),
    "Sessions@v2": AppModel(classes: ["MSACSessionHistoryInfo": SessionHistory.self]),
    "Outcomes@v1": AppModel(classes: ["OSUniqueOutcomeNotification": UniqueOutcome.self]),
    "Outcomes@v2": AppModel(classes: ["OSCachedUniqueOutcome": CachedOutcome.self]),
    "BrowserTabs@v1": AppModel(
      key: "tabs",
      classes: ["Client.SavedTab": SavedTab.self, "Client.SessionData": SessionData.self]),
    "TransitTrip@v1": AppModel(classes: [
      "Transit.Trip": BoxedTrip.self, "Transit.Leg": BoxedLeg.self,
    ]),
    "TransitTrip@v2": AppModel(classes: ["Transit.Trip": Trip.self, "Transit.Leg": Leg.self]),
    "ServiceDiscovery@v1": AppModel(classes: [
      "OIDServiceConfiguration": Configuration.self, "OIDServiceDiscovery": FlatDiscovery.self,
    ]),
    "ServiceDiscovery@v2": AppModel(classes: [
      "OIDServiceConfiguration": Configuration.self, "OIDServiceDiscovery": Discovery.self,
    ]),
    "StoredUser@v1": user, "StoredUser@v2": user,
    "ContactRow@v1": AppModel(classes: ["Person": PersonRow.self]),
    "ContactRow@v2": AppModel(classes: ["Contacts.Contact": ContactRow.self]),
    "Downloads@v2": AppModel(classes: ["DownloadItem": Download.self]),
    "Rooms@v2": AppModel(classes: ["MXRoomSummary": RoomSummary.self]),
    "SignIn@v1": signIn("GTMAppAuthFetcherAuthorization"),
    "SignIn@v2": signIn("GTMAuthSession"),
    "Calls@v2": AppModel(classes: [
      "CallEngine.Session": Call.self, "_TtC10CallEngine7Session": Call.self,
    ]),
    "Clocks@v2": AppModel(classes: ["CoreModelKit.TimezoneData": Clock.self]),
    "Credentials@v1": AppModel(classes: ["A0Credentials": Credentials.self]),
  ]

  private static func signIn(_ name: String) -> AppModel {
    AppModel(classes: [
      name: SignIn.self, "OIDAuthState": AuthorizationState.self,
      "OIDAuthorizationResponse": AuthorizationResponse.self,
      "OIDAuthorizationRequest": AuthorizationRequest.self,
      "OIDTokenResponse": TokenResponse.self, "OIDTokenRequest": TokenRequest.self,
      "OIDServiceConfiguration": Configuration.self,
    ])
  }

  private static let user = AppModel(
    key: "firebase_auth_1_stored_user",
    classes: [
      "FIRUser": StoredUser.self, "FIRUserInfoImpl": UserInformation.self,
      "FIRSecureTokenService": TokenService.self, "FIRUserMetadata": UserMetadata.self,
    ])
}

/// The model of `BrowserTabs@v2` for PropertyListDecoder.
// swift-format-ignore: AlwaysUseLowerCamelCase
struct CodedTab: Codable {
  struct Session: Codable {
    var currentPage: Int
    var urls: [URL]
    var lastUsedTime: UInt64
  }

  var isSelected: Bool
  var isPrivate: Bool
  var hasHomeScreenshot: Bool
  var title: String?
  var faviconURL: String?
  var UUID: String?
  var url: URL?
  var screenshotUUID: Foundation.UUID?
  var sessionData: Session?
}

/// The model of `Credentials@v2` for JSONDecoder, and of `Credentials@v3` for PropertyListDecoder.
struct CodedCredentials: Codable {
  var accessToken: String
  var tokenType: String
  var idToken: String
  var refreshToken: String?
  var scope: String?
  var expiresIn: Date

  /// Reads what the library keeps as JSON.
  static func decode(json data: Data) throws -> CodedCredentials {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(CodedCredentials.self, from: data)
  }
}

final class Device: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("sdkName", text), ("sdkVersion", text), ("model", text), ("carrierName", text),
      ("timeZoneOffset", .number),
    ]
  }
}

final class DeviceHistory: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("timestampKey", date), ("deviceKey", .object([Device.self]))]
  }
}

final class SessionHistory: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("timestampKey", date), ("sessionIdKey", text)]
  }
}

final class UniqueOutcome: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("name", text), ("notificationId", text), ("timestamp", .integer)]
  }
}

final class CachedOutcome: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("name", text), ("uniqueId", text), ("timestamp", .integer), ("channel", text)]
  }
}

final class SessionData: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("currentPage", .integer), ("urls", .object([NSArray.self, NSURL.self])),
      ("lastUsedTime", .integer),
    ]
  }
}

final class SavedTab: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("isSelected", .bool), ("isPrivate", .bool), ("hasHomeScreenshot", .bool), ("title", text),
      ("faviconURL", text), ("UUID", text), ("url", url),
      ("screenshotUUID", .object([NSUUID.self])),
      ("sessionData", .object([SessionData.self])),
    ]
  }
}

final class BoxedLeg: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("stops", .number), ("seconds", .number)]
  }
}

final class BoxedTrip: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("name", text), ("isPrivate", .number), ("legs", .object([NSArray.self, BoxedLeg.self])),
      ("first", .object([BoxedLeg.self])), ("price", .number),
    ]
  }
}

final class Leg: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("stops", .integer), ("seconds", .double)]
  }
}

final class Trip: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("name", text), ("isPrivate", .bool), ("legs", .object([NSArray.self, Leg.self])),
      ("first", .object([Leg.self])), ("price", .number),
    ]
  }
}

final class FlatDiscovery: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("discoveryDictionary", .flatDictionary)]
  }
}

final class Discovery: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      (
        "discoveryDictionary",
        .object([NSDictionary.self, NSArray.self, NSString.self, NSNumber.self])
      )
    ]
  }
}

final class Configuration: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("authorizationEndpoint", url), ("tokenEndpoint", url),
      (
        // What the document decodes by itself is allowed here as well.
        "discoveryDocument",
        .object([
          FlatDiscovery.self, Discovery.self, NSArray.self, NSString.self, NSNumber.self,
        ])
      ),
    ]
  }
}

final class UserInformation: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("providerID", text), ("userID", text), ("displayName", text), ("email", text),
      ("photoURL", url),
    ]
  }
}

final class TokenService: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("refreshToken", text), ("accessToken", text), ("accessTokenExpirationDate", date)]
  }
}

final class UserMetadata: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("creationDate", date), ("lastSignInDate", date)]
  }
}

final class StoredUser: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("userID", text), ("anonymous", .bool), ("hasEmailPassword", .bool), ("email", text),
      ("emailVerified", .bool), ("photoURL", url), ("APIKey", text), ("firebaseAppID", text),
      ("providerData", .object([NSDictionary.self, NSString.self, UserInformation.self])),
      ("tokenService", .object([TokenService.self])), ("metadata", .object([UserMetadata.self])),
    ]
  }
}

final class PersonRow: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("fullName", text), ("born", text), ("height", .double), ("picture", .object([NSData.self]))]
  }
}

final class ContactRow: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("name", text), ("born", date), ("height", .double), ("picture", .object([NSData.self]))]
  }
}

final class Download: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("state", .integer), ("size", .integer), ("filename", text)]
  }
}

final class RoomSummary: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("name", text), ("unread", .integer)]
  }
}

final class SignIn: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("authState", .object([AuthorizationState.self])), ("serviceProvider", text),
      ("userID", text), ("userEmail", text), ("userEmailIsVerified", text),
    ]
  }
}

final class AuthorizationState: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("refreshToken", text), ("scope", text),
      ("lastAuthorizationResponse", .object([AuthorizationResponse.self])),
      ("lastTokenResponse", .object([TokenResponse.self])),
    ]
  }
}

final class AuthorizationResponse: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("request", .object([AuthorizationRequest.self])), ("authorizationCode", text),
      ("state", text),
    ]
  }
}

final class AuthorizationRequest: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("configuration", .object([Configuration.self])), ("clientID", text), ("scope", text),
      ("redirectURL", url),
      ("additionalParameters", .object([NSDictionary.self, NSString.self])),
    ]
  }
}

final class TokenResponse: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("request", .object([TokenRequest.self])), ("accessToken", text),
      ("accessTokenExpirationDate", date), ("tokenType", text),
    ]
  }
}

final class TokenRequest: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("configuration", .object([Configuration.self])),
      ("authorizationResponse", .object([AuthorizationResponse.self])), ("grantType", text),
    ]
  }
}

final class Call: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("sessionID", .object([NSUUID.self])), ("initiatorID", .object([NSUUID.self])),
      ("state", .integer),
    ]
  }
}

final class Clock: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [("customLabel", text), ("timezoneID", text), ("latitude", .number), ("isFavourite", .integer)]
  }
}

final class Credentials: AppObject {
  override class var fields: [(key: String, method: Method)] {
    [
      ("accessToken", text), ("tokenType", text), ("idToken", text), ("refreshToken", text),
      ("scope", text), ("expiresIn", date),
    ]
  }
}
