// German for the service's sentences. `{…}` is a placeholder for a number, a value or a name.

/** Titles and details of problems. */
export const germanProblems: Record<string, string> = {
  'Authorization code missing': 'Autorisierungscode fehlt',
  'The query parameter "code" is required.': 'Der Parameter „code“ ist erforderlich.',
  'Authorization code malformed': 'Autorisierungscode fehlerhaft',
  'The query parameter "code" must be 1 to 8192 visible ASCII characters.':
    'Der Parameter „code“ muss aus 1 bis 8192 sichtbaren ASCII-Zeichen bestehen.',
  'Callback malformed': 'Rückruf fehlerhaft',
  'Each query parameter may be given only once, and "code" and "error" never together.':
    'Jeder Parameter darf nur einmal vorkommen, und „code“ nie zusammen mit „error“.',
  'Redirect address not allowed': 'Weiterleitungsadresse nicht erlaubt',
  'The "redirect_uri" is not one of the addresses this service is configured with.':
    'Die „redirect_uri“ gehört nicht zu den Adressen, die für diesen Dienst eingerichtet sind.',
  'Sign-in denied': 'Anmeldung abgelehnt',
  'The sign-in was denied at the identity provider.': 'Die Anmeldung wurde beim Identitätsanbieter abgelehnt.',
  'Sign-in failed': 'Anmeldung fehlgeschlagen',
  'The identity provider did not complete the sign-in.':
    'Der Identitätsanbieter hat die Anmeldung nicht abgeschlossen.',
  'Sign-in not known here': 'Anmeldung unbekannt',
  'This sign-in was not started in this browser, was finished already, or took longer than ten minutes.':
    'Diese Anmeldung wurde nicht in diesem Browser begonnen, ist schon abgeschlossen oder hat länger als zehn Minuten gedauert.',
  'Sign-in does not match': 'Anmeldung passt nicht',
  'The answer of the identity provider does not belong to this sign-in.':
    'Die Antwort des Identitätsanbieters gehört nicht zu dieser Anmeldung.',
  'Authorization code not accepted': 'Autorisierungscode nicht angenommen',
  'The authorization code is not valid, has expired or was used before.':
    'Der Autorisierungscode ist ungültig, abgelaufen oder wurde schon verwendet.',
  'Trial sign-in expired': 'Probeanmeldung abgelaufen',
  'This trial sign-in was used before, has expired, or was not started in this browser.':
    'Diese Probeanmeldung wurde schon verwendet, ist abgelaufen oder wurde nicht in diesem Browser begonnen.',
  'Must be opened as a page': 'Muss als Seite geöffnet werden',
  'The browser requested this address as part of a page instead of opening it.':
    'Der Browser hat diese Adresse als Teil einer Seite abgerufen, statt sie zu öffnen.',
  'Logout token not accepted': 'Abmelde-Token nicht angenommen',
  'The logout token is missing, malformed, not from the identity provider, or was used before.':
    'Das Abmelde-Token fehlt, ist fehlerhaft, stammt nicht vom Identitätsanbieter oder wurde schon verwendet.',
  'Account not permitted': 'Konto nicht zugelassen',
  'The identity provider knows this person, but the account cannot be used here.':
    'Der Identitätsanbieter kennt diese Person, aber das Konto kann hier nicht verwendet werden.',
  'Sign-in not strong enough': 'Anmeldung nicht stark genug',
  'The identity provider did not authenticate the person as strongly, or as recently, as was asked for.':
    'Der Identitätsanbieter hat die Person nicht so stark oder nicht so kürzlich geprüft wie verlangt.',
  'Identity provider unavailable': 'Identitätsanbieter nicht erreichbar',
  'The identity provider cannot be reached at the moment.': 'Der Identitätsanbieter ist zurzeit nicht erreichbar.',
  'Identity provider too slow': 'Identitätsanbieter zu langsam',
  'The identity provider did not answer in time.': 'Der Identitätsanbieter hat nicht rechtzeitig geantwortet.',
  'Invalid answer from the identity provider': 'Ungültige Antwort des Identitätsanbieters',
  'The identity provider gave an answer that cannot be used.':
    'Der Identitätsanbieter hat eine Antwort gegeben, die nicht verwendet werden kann.',
  'Not accepted by the identity provider': 'Vom Identitätsanbieter nicht akzeptiert',
  'The identity provider does not accept this service as its client.':
    'Der Identitätsanbieter akzeptiert diesen Dienst nicht als Client.',
  'Identity could not be verified': 'Identität konnte nicht geprüft werden',
  'The identity provider sent an identity that does not pass the checks.':
    'Der Identitätsanbieter hat eine Identität gesendet, die die Prüfungen nicht besteht.',
  'Sign-in required': 'Anmeldung erforderlich',
  'This resource needs an access token, in the header "Authorization: Bearer …".':
    'Hierfür ist ein Zugriffstoken im Header „Authorization: Bearer …“ nötig.',
  'Access token expired': 'Zugriffstoken abgelaufen',
  'The access token has expired.': 'Das Zugriffstoken ist abgelaufen.',
  'Access token not valid': 'Zugriffstoken ungültig',
  'The access token is not valid here, or its session has ended.':
    'Das Zugriffstoken ist hier nicht gültig, oder seine Sitzung ist beendet.',
  'Session expired': 'Sitzung abgelaufen',
  'Your session has expired or was ended. Sign in again.':
    'Ihre Sitzung ist abgelaufen oder wurde beendet. Melden Sie sich erneut an.',
  'Origin not allowed': 'Herkunft nicht erlaubt',
  'A session is renewed only for pages of this service, or of the origins it is configured with.':
    'Eine Sitzung wird nur für Seiten dieses Dienstes oder der eingerichteten Herkunftsadressen erneuert.',
  'Stronger sign-in needed': 'Stärkere Anmeldung nötig',
  'This change needs a stronger or more recent sign-in than the one this access token comes from.':
    'Für diese Änderung ist eine stärkere oder neuere Anmeldung nötig als die, aus der dieses Zugriffstoken stammt.',
  'No permission': 'Keine Berechtigung',
  "You don't have permission to do this.": 'Sie haben dafür keine Berechtigung.',
  'Only for people': 'Nur für Personen',
  'Only a signed-in person may do this, not a program.': 'Dies ist für angemeldete Personen und nicht für Programme.',
  'Grant not supported': 'Grant nicht unterstützt',
  'The grant_type is not supported here.': 'Der grant_type wird hier nicht unterstützt.',
  'Assertion not accepted': 'Assertion nicht angenommen',
  'The assertion is not valid, has expired, was used before, or is not from a registered caller.':
    'Die Assertion ist ungültig, abgelaufen, wurde schon verwendet oder stammt nicht von einem registrierten Aufrufer.',
  'Issuer unavailable': 'Aussteller nicht erreichbar',
  'The issuer of the assertion cannot be reached at the moment, so its keys are not known.':
    'Der Aussteller der Assertion ist zurzeit nicht erreichbar, daher sind seine Schlüssel nicht bekannt.',
  'Issuer too slow': 'Aussteller zu langsam',
  'The issuer of the assertion did not answer in time, so its keys are not known.':
    'Der Aussteller der Assertion hat nicht rechtzeitig geantwortet, daher sind seine Schlüssel nicht bekannt.',
  'Invalid answer from the issuer': 'Ungültige Antwort des Ausstellers',
  'The issuer of the assertion gave an answer that cannot be used, so its keys are not known.':
    'Der Aussteller der Assertion hat eine Antwort gegeben, die nicht verwendet werden kann, daher sind seine Schlüssel nicht bekannt.',
  'Request malformed': 'Anfrage fehlerhaft',
  'The request cannot be understood as sent.': 'Die Anfrage kann so nicht verarbeitet werden.',
  'Not found': 'Nicht gefunden',
  'There is nothing at this address.': 'Unter dieser Adresse gibt es nichts.',
  'Method not allowed': 'Methode nicht erlaubt',
  'This address does not support this method.': 'Diese Adresse unterstützt diese Methode nicht.',
  'Wrong host name': 'Anderer Hostname',
  'With the development provider, the "Host" of a request must be a name of this machine, such as localhost.':
    'Mit dem Entwicklungs-Anbieter muss „Host“ einer Anfrage ein Name dieses Rechners sein, etwa localhost.',
  'Already exists': 'Schon vorhanden',
  'A list or value with this name already exists.': 'Eine Liste oder ein Wert mit diesem Namen ist schon vorhanden.',
  'Version missing': 'Version fehlt',
  'A change needs the header If-Match with the version of the list it was made from.':
    'Eine Änderung braucht den Header If-Match mit der Version der Liste, von der sie ausgeht.',
  'The list has changed': 'Die Liste wurde geändert',
  'The list has changed since the version this change was made from.':
    'Die Liste wurde geändert, seit Sie mit dieser Änderung begonnen haben.',
  'Body too large': 'Inhalt zu groß',
  'The body of the request is larger than 256 KiB, or a document of lists than 4 MiB.':
    'Der Inhalt der Anfrage ist größer als 256 KiB, oder ein Dokument mit Listen größer als 4 MiB.',
  'Content type not supported': 'Inhaltstyp nicht unterstützt',
  'The content type of the body is not supported here.': 'Der Typ des Inhalts wird hier nicht unterstützt.',
  'Too many requests': 'Zu viele Anfragen',
  'Too many requests in a short time, or too many change streams open at once.':
    'Zu viele Anfragen in kurzer Zeit, oder zu viele Änderungsströme gleichzeitig offen.',
  'Storage unavailable': 'Datenbank nicht erreichbar',
  'The database cannot be reached at the moment.': 'Die Datenbank ist zurzeit nicht erreichbar.',
  'Too many documents at once': 'Zu viele Dokumente gleichzeitig',
  'Too many documents are being read at the moment.': 'Zurzeit werden zu viele Dokumente gelesen.',
  'Document not read in time': 'Dokument nicht rechtzeitig gelesen',
  'Reading the document took too long. Nothing was changed.':
    'Das Lesen des Dokuments hat zu lange gedauert. Es wurde nichts geändert.',
  'Internal error': 'Interner Fehler',
  'Something went wrong on our side.': 'Bei uns ist etwas schiefgegangen.',
};

/** Messages of the client library. */
export const germanClientProblems: Record<string, string> = {
  'No answer': 'Keine Antwort',
  'Frontdesk cannot be reached.': 'Frontdesk ist nicht erreichbar.',
  'Unexpected answer': 'Unerwartete Antwort',
  'Something answered with status {status} that was not Frontdesk.':
    'Es kam eine Antwort mit Status {status}, die nicht von Frontdesk stammt.',
  'Not signed in': 'Nicht angemeldet',
  'Sign in first.': 'Melden Sie sich zuerst an.',
  'Another person is signed in': 'Eine andere Person ist angemeldet',
  'Somebody else has signed in with this browser. Nothing was sent.':
    'In diesem Browser hat sich jemand anders angemeldet. Es wurde nichts gesendet.',
};
