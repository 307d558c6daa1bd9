// German for the service's sentences. `{…}` is a placeholder for a number, a value or a name.

/** Titles and details of problems. */
export const germanProblems: Record<string, string> = {
  'Authorization code missing': 'Autorisierungscode fehlt',
  'The query parameter "code" is required.': 'Der Parameter „code“ ist erforderlich.',
  'Authorization code malformed': 'Autorisierungscode fehlerhaft',
  'The query parameter "code" must be 1 to 8192 visible ASCII characters.':
    'Der Parameter „code“ muss aus 1 bis 8192 sichtbaren ASCII-Zeichen bestehen.',
  'Callback malformed': 'Callback fehlerhaft',
  'Each query parameter may be given only once, and "code" must not be given together with "error".':
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
  'Sign-in does not match': 'Antwort passt nicht zur Anmeldung',
  "The identity provider's answer does not belong to this sign-in.":
    'Die Antwort des Identitätsanbieters gehört nicht zu dieser Anmeldung.',
  'Authorization code not accepted': 'Autorisierungscode nicht angenommen',
  'The authorization code is invalid, has expired, or was used before.':
    'Der Autorisierungscode ist ungültig, abgelaufen oder wurde schon verwendet.',
  'Trial sign-in expired': 'Probeanmeldung abgelaufen',
  'This trial sign-in was used before, has expired, or was not started in this browser.':
    'Diese Probeanmeldung wurde schon verwendet, ist abgelaufen oder wurde nicht in diesem Browser begonnen.',
  'Must be opened as a page': 'Muss als Seite geöffnet werden',
  'The browser requested this address as part of a page instead of opening it.':
    'Der Browser hat diese Adresse als Teil einer Seite abgerufen, statt sie zu öffnen.',
  'Logout token not accepted': 'Abmelde-Token nicht angenommen',
  'The logout token is missing, is malformed, is not from the identity provider, or was used before.':
    'Das Abmelde-Token fehlt, ist fehlerhaft, stammt nicht vom Identitätsanbieter oder wurde schon verwendet.',
  'Account not permitted': 'Konto nicht zugelassen',
  'The identity provider knows this person, but the account cannot be used here.':
    'Der Identitätsanbieter kennt diese Person, aber das Konto kann hier nicht verwendet werden.',
  'Sign-in not strong enough': 'Anmeldung nicht stark genug',
  'The identity provider did not authenticate the person as strongly or as recently as requested.':
    'Der Identitätsanbieter hat die Person nicht stark genug oder vor zu langer Zeit authentifiziert.',
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
    'Die vom Identitätsanbieter gesendete Identität hat die Prüfung nicht bestanden.',
  'Sign-in required': 'Anmeldung erforderlich',
  'This resource needs an access token, in the header "Authorization: Bearer …".':
    'Hierfür ist ein Zugriffstoken im Header „Authorization: Bearer …“ nötig.',
  'Access token expired': 'Zugriffstoken abgelaufen',
  'The access token has expired.': 'Das Zugriffstoken ist abgelaufen.',
  'Access token not valid': 'Zugriffstoken ungültig',
  'The access token is not valid here, or its session has ended.':
    'Das Zugriffstoken ist hier nicht gültig, oder die zugehörige Sitzung ist beendet.',
  'Session expired': 'Sitzung abgelaufen',
  'Your session has expired or was ended. Sign in again.':
    'Ihre Sitzung ist abgelaufen oder wurde beendet. Melden Sie sich erneut an.',
  'Origin not allowed': 'Herkunft nicht erlaubt',
  'A session is renewed only for pages from this service or from the origins it is configured with.':
    'Eine Sitzung wird nur für Seiten dieses Dienstes oder der eingerichteten Herkunftsadressen verlängert.',
  'Stronger sign-in needed': 'Stärkere Anmeldung nötig',
  'This change needs a stronger or more recent sign-in than the one this access token comes from.':
    'Für diese Änderung ist eine stärkere oder neuere Anmeldung nötig als die, aus der dieses Zugriffstoken stammt.',
  'No permission': 'Keine Berechtigung',
  "You don't have permission to do this.": 'Sie haben dafür keine Berechtigung.',
  'Only for people': 'Nur für Personen',
  'Only a signed-in person may do this, not a program.': 'Das dürfen nur angemeldete Personen, keine Programme.',
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
  'Wrong host name': 'Falscher Hostname',
  'With the development provider, the "Host" of a request must be a name of this machine, such as localhost.':
    'Mit dem Identitätsanbieter für die Entwicklung muss der „Host“ einer Anfrage ein Name dieses Rechners sein, etwa localhost.',
  'Already exists': 'Bereits vorhanden',
  'A list or value with this name already exists.': 'Eine Liste oder ein Wert mit diesem Namen ist bereits vorhanden.',
  'Version missing': 'Version fehlt',
  'A change needs the header If-Match with the list version that the change is based on.':
    'Eine Änderung braucht den Header If-Match mit der Version der Liste, von der sie ausgeht.',
  'The list has changed': 'Die Liste wurde geändert',
  'The list has changed since the version that this change is based on.':
    'Die Liste wurde geändert, seit Sie mit dieser Änderung begonnen haben.',
  'Body too large': 'Inhalt zu groß',
  'The body of the request is larger than 256 KiB, or a document with lists is larger than 4 MiB.':
    'Der Inhalt der Anfrage ist größer als 256 KiB, oder ein Dokument mit Listen ist größer als 4 MiB.',
  'Content type not supported': 'Inhaltstyp nicht unterstützt',
  'The content type of the body is not supported here.': 'Der Typ des Inhalts wird hier nicht unterstützt.',
  'Too many requests': 'Zu viele Anfragen',
  'Too many requests in a short time, or too many change streams open at once.':
    'Zu viele Anfragen in kurzer Zeit, oder zu viele gleichzeitig geöffnete Änderungs-Streams.',
  'Storage unavailable': 'Datenbank nicht erreichbar',
  'The database cannot be reached at the moment.': 'Die Datenbank ist zurzeit nicht erreichbar.',
  Starting: 'Frontdesk startet',
  'The service is starting. It is updating its database, or waiting for another process to do so.':
    'Frontdesk startet: Die Datenbank wird gerade aktualisiert, von diesem oder einem anderen Prozess.',
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
  'The answer with status {status} is not from Frontdesk.':
    'Die Antwort mit Status {status} stammt nicht von Frontdesk.',
  'Not signed in': 'Nicht angemeldet',
  'Sign in first.': 'Melden Sie sich zuerst an.',
  'Another person is signed in': 'Eine andere Person ist angemeldet',
  'Another person has signed in with this browser. Nothing was sent.':
    'In diesem Browser hat sich jemand anderes angemeldet. Es wurde nichts gesendet.',
};

/** Messages about fields and places in documents. The first matching pattern wins. */
export const germanFaults: Record<string, string> = {
  // Longer patterns come first: in a shorter pattern, a parameter would match the rest of the sentence.
  'There is no list "{list}" with the value "{value}".': 'Es gibt keine Liste „{list}“ mit dem Wert „{value}“.',
  'There is no list "{list}" with the version "{version}".':
    'Es gibt keine Liste „{list}“ mit der Version „{version}“.',
  'There is no list "{list}".': 'Es gibt keine Liste „{list}“.',
  'is required': 'Ist erforderlich',
  'is not a known field': 'Ist kein bekanntes Feld',
  'is not supported': 'Wird nicht unterstützt',
  'is not allowed here': 'Ist hier nicht erlaubt',
  'is not UTF-8': 'Ist nicht UTF-8',
  'is not well-formed JSON': 'Ist kein gültiges JSON',
  'is already used by {value}': 'Wird schon von {value} verwendet',
  'is only allowed for retired values': 'Ist nur für deaktivierte Werte erlaubt',
  'is a reserved name: {names} are addresses of the service under /admin/lookups':
    'Ist ein reservierter Name: apply und plan sind Adressen des Dienstes unter /admin/lookups',
  'has the wrong format': 'Hat das falsche Format',
  'has a type that is not allowed here': 'Hat einen Typ, der hier nicht erlaubt ist',
  'has a value that is not in that list: {value}': 'Enthält einen Wert, der nicht in dieser Liste ist: {value}',
  'must be text': 'Muss Text sein',
  'must be a number': 'Muss eine Zahl sein',
  'must be a whole number': 'Muss eine ganze Zahl sein',
  'must be a whole number from {first} to {last}': 'Muss eine ganze Zahl von {first} bis {last} sein',
  'must be a whole number of seconds': 'Muss eine ganze Anzahl von Sekunden sein',
  'must be values separated by single spaces': 'Muss aus Werten mit je einem Leerzeichen dazwischen bestehen',
  'must be true or false': 'Muss true oder false sein',
  'must be an array': 'Muss ein Array sein',
  'must be an object': 'Muss ein Objekt sein',
  'must be null': 'Muss null sein',
  'must be of another type': 'Muss einen anderen Typ haben',
  'must be one of {values}': 'Muss einer dieser Werte sein: {values}',
  'must be a date like {date}': 'Muss ein Datum wie {date} sein',
  'must be one date like {date}': 'Muss ein einzelnes Datum wie {date} sein',
  'must be a date and time like {date}': 'Muss Datum und Uhrzeit wie {date} sein',
  'must be a date, or a time with its UTC offset': 'Muss ein Datum oder ein Zeitpunkt mit Zeitzone sein',
  'must be an address like {address}': 'Muss eine Adresse wie {address} sein',
  'must be lower-case words joined by hyphens': 'Muss aus kleingeschriebenen Wörtern mit Bindestrichen bestehen',
  'must be UPPER_SNAKE_CASE': 'Muss aus Großbuchstaben, Ziffern und einzelnen Unterstrichen bestehen',
  'must be visible text, without leading or trailing spaces':
    'Muss sichtbarer Text ohne Leerzeichen am Anfang oder Ende sein',
  'must be letters, digits, ".", "_" and "-", beginning with a letter or digit':
    'Muss aus Buchstaben, Ziffern, „.“, „_“ und „-“ bestehen und mit Buchstabe oder Ziffer beginnen',
  'must be a language tag like de or pt-BR': 'Muss ein Sprachkürzel wie de oder pt-BR sein',
  'must map language tags to labels': 'Muss Sprachkürzeln Bezeichnungen zuordnen',
  'must map language tags to titles': 'Muss Sprachkürzeln Titel zuordnen',
  'must map language tags to descriptions': 'Muss Sprachkürzeln Beschreibungen zuordnen',
  'must map systems to codes': 'Muss Systemen Codes zuordnen',
  'must map lists to values': 'Muss Listen Werte zuordnen',
  'must map list names to lists': 'Muss Listennamen Listen zuordnen',
  'must be an array of tags': 'Muss ein Array von Schlagwörtern sein',
  'must be an array of roles': 'Muss ein Array von Rollen sein',
  'must be an array of values': 'Muss ein Array von Werten sein',
  'must be a list of items': 'Muss eine Liste von Werten sein',
  'must be a list with its items': 'Muss eine Liste mit ihren Werten sein',
  'must be an object with the fields of an item': 'Muss ein Objekt mit den Feldern eines Werts sein',
  'must be a document with "lists"': 'Muss ein Dokument mit „lists“ sein',
  'must be a version': 'Muss eine Version sein',
  'must be the version in quotes, like "7"': 'Muss die Version in Anführungszeichen sein, wie "7"',
  'must be the id of a row, or 0': 'Muss die ID einer Zeile oder 0 sein',
  'must be false, because a standard list cannot be archived':
    'Muss false sein, weil eine Standardliste nicht archiviert werden kann',
  'must be a different list': 'Muss eine andere Liste sein',
  'must be a list that exists and that you may read': 'Muss eine vorhandene Liste sein, die Sie lesen dürfen',
  'must be a value of the same list': 'Muss ein Wert derselben Liste sein',
  'must contain every active value of the list exactly once':
    'Muss jeden aktiven Wert der Liste genau einmal enthalten',
  'must be a list and a value, like {example}': 'Muss eine Liste und ein Wert sein, wie {example}',
  'must be a system and its code, like {example}': 'Muss ein System und sein Code sein, wie {example}',
  'must be given once': 'Darf nur einmal angegeben werden',
  'must be given once, with the words to search for': 'Muss einmal angegeben werden: die gesuchten Wörter',
  'must be given once, with a system and its code, like {example}':
    'Muss einmal angegeben werden: ein System und sein Code, wie {example}',
  'must be written {name}, not {given}': 'Muss {name} geschrieben werden, nicht {given}',
  'must be at most {count} characters': 'Darf höchstens {count} Zeichen haben',
  'must be at least {count} characters': 'Muss mindestens {count} Zeichen haben',
  'must have at most {count} entries': 'Darf höchstens {count} Einträge haben',
  'must have at least {count} entries': 'Muss mindestens {count} Einträge haben',
  'must have at most {count} tags': 'Darf höchstens {count} Schlagwörter haben',
  'must have at most {count} roles': 'Darf höchstens {count} Rollen haben',
  'must have at most {count} values': 'Darf höchstens {count} Werte haben',
  'must be at most {count}': 'Darf höchstens {count} sein',
  'must be at least {count}': 'Muss mindestens {count} sein',
  'must have at most {count} systems': 'Darf höchstens {count} Systeme haben',
  'must have at most {count} lists': 'Darf höchstens {count} Listen haben',
  'must have at most {count} languages': 'Darf höchstens {count} Sprachen haben',
  'would give the list more than {count} languages': 'Die Liste hätte damit mehr als {count} Sprachen',
  'must have at most {count} values, in all lists together':
    'Darf in allen Listen zusammen höchstens {count} Werte haben',
  'must have at most {count} combining marks in a row':
    'Darf höchstens {count} kombinierende Zeichen hintereinander haben',
  'must have no duplicate tags': 'Darf kein Schlagwort doppelt enthalten',
  'must have no duplicate roles': 'Darf keine Rolle doppelt enthalten',
  'must have no duplicate values': 'Darf keinen Wert doppelt enthalten',
  'must contain no control characters': 'Darf keine Steuerzeichen enthalten',
  'must contain no line separators': 'Darf keine Zeilentrenner enthalten',
  'must contain no Unicode noncharacters': 'Darf keine ungültigen Unicode-Zeichen enthalten',
  'must have Unicode direction controls only in pairs':
    'Darf Steuerzeichen für die Schreibrichtung nur paarweise enthalten',
  'must have a role, or be null': 'Muss eine Rolle enthalten oder null sein',
  'must have a value, or be null to remove this list from the parents':
    'Muss einen Wert enthalten oder null sein, um die Liste zu entfernen',
  'must have a word to search for': 'Muss ein Wort enthalten, nach dem gesucht wird',
  'must not be given together with "after"': 'Darf nicht zusammen mit „after“ angegeben werden',
  'must not lead back to the same value': 'Darf nicht auf denselben Wert zurückführen',
  'Must not be before the start date': 'Darf nicht vor dem Startdatum liegen',
  'Already exists (may be retired)': 'Bereits vorhanden (möglicherweise deaktiviert)',
  'There is no such list. Leave the version out': 'Diese Liste gibt es nicht. Lassen Sie die Version weg',
  'Given twice': 'Doppelt angegeben',
  'Not allowed as a name': 'Als Name nicht erlaubt',
  'Nested more than {count} levels deep': 'Mehr als {count} Ebenen tief verschachtelt',
  'At most {count} lists': 'Höchstens {count} Listen',
  'At most {count} items at once: split the document':
    'Höchstens {count} Werte auf einmal: Teilen Sie das Dokument auf',
  'At most {count} different values of other lists at once: split the document':
    'Höchstens {count} verschiedene Werte anderer Listen auf einmal: Teilen Sie das Dokument auf',
  'Too many values at once: split the document': 'Zu viele Angaben auf einmal: Teilen Sie das Dokument auf',
  'At most {count} columns': 'Höchstens {count} Spalten',
  'Unknown column': 'Unbekannte Spalte',
  'Column given twice': 'Spalte doppelt vorhanden',
  'Required column missing': 'Erforderliche Spalte fehlt',
  'The row has {count} fields, but the header has {expected}': 'Die Zeile hat {count} Felder, die Kopfzeile {expected}',
  'Quote not closed': 'Anführungszeichen nicht geschlossen',
  'Quote within a field that is not quoted': 'Anführungszeichen in einem Feld ohne Anführungszeichen',
  'Text after a closing quote': 'Text nach einem schließenden Anführungszeichen',
  'Not UTF-8': 'Kein UTF-8',
  'Not UTF-8: save the file as "CSV UTF-8"': 'Kein UTF-8: Speichern Sie die Datei als „CSV UTF-8“',
  'Not valid JSON': 'Kein gültiges JSON',
  'Not valid JSON: "{sign}" expected here': 'Kein gültiges JSON: Hier wird „{sign}“ erwartet',
  'Not valid JSON: a name in quotes expected here':
    'Kein gültiges JSON: Hier wird ein Name in Anführungszeichen erwartet',
  'Not valid JSON: it ends too early': 'Kein gültiges JSON: Es endet zu früh',
  'Not valid JSON: text after its end': 'Kein gültiges JSON: Text nach dem Ende',
  'Not valid JSON: text is not closed': 'Kein gültiges JSON: Ein Text ist nicht geschlossen',
  'Not valid JSON: text with a line break, a control character or an unknown escape':
    'Kein gültiges JSON: Text mit einem Zeilenumbruch, einem Steuerzeichen oder einer unbekannten Escape-Folge',
  'Not valid YAML ({code})': 'Kein gültiges YAML ({code})',
  'Only one YAML document is allowed': 'Nur ein YAML-Dokument ist erlaubt',
  'A name must be plain text': 'Ein Name muss einfacher Text sein',
  'Aliases (*name) are not supported': 'Aliase (*name) werden nicht unterstützt',
};
