// A spreadsheet program, run without its window.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

if (Bun.which('soffice') === null) throw new Error('LibreOffice is missing: apt-get install libreoffice-calc');

/** A macro in Basic: opens the workbook, enters text into the cell as if typed, and saves the workbook in its own format. */
const macro = `Sub EditCell(source As String, target As String, place As String, typed As String)
  Dim hidden(0) As New com.sun.star.beans.PropertyValue
  hidden(0).Name = "Hidden"
  hidden(0).Value = True
  document = StarDesktop.loadComponentFromURL(source, "_blank", 0, hidden())
  document.Sheets.getByIndex(0).getCellRangeByName(place).setFormula(typed)
  Dim format(0) As New com.sun.star.beans.PropertyValue
  format(0).Name = "FilterName"
  format(0).Value = "Calc MS Excel 2007 XML"
  document.storeToURL(target, format())
  document.close(True)
End Sub`;

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const library = 'xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Makes a profile with the macro in `folder`. LibreOffice runs once before that, because its first run overwrites macros. */
export function makeProfile(folder: string): string {
  start(folder, '--terminate_after_init');
  const basic = join(folder, 'user/basic');
  mkdirSync(join(basic, 'Standard'), { recursive: true });
  const escaped = macro.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const files = {
    'script.xlc': `${head}<!DOCTYPE library:libraries PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "libraries.dtd"><library:libraries ${library}><library:library library:name="Standard" xlink:href="$(USER)/basic/Standard/script.xlb/" xlink:type="simple" library:link="false"/></library:libraries>`,
    'Standard/script.xlb': `${head}<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd"><library:library ${library} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Edit"/></library:library>`,
    'Standard/Edit.xba': `${head}<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script" script:name="Edit" script:language="StarBasic">${escaped}</script:module>`,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(basic, name), content);
  return folder;
}

/** Writes `target`: the workbook `source` with one cell changed. */
export function editCell(profile: string, source: string, target: string, place: string, typed: string): void {
  const address = (file: string) => pathToFileURL(file).href;
  const words = [address(source), address(target), place, typed].map((word) => `"${word}"`).join(',');
  start(profile, `macro:///Standard.Edit.EditCell(${words})`);
}

function start(profile: string, word: string): void {
  const user = `-env:UserInstallation=${pathToFileURL(profile).href}`;
  const { exitCode, stderr } = Bun.spawnSync(['soffice', user, '--headless', word], { timeout: 120_000 });
  if (exitCode !== 0) throw new Error(`soffice: ${exitCode} ${stderr.toString()}`);
}
