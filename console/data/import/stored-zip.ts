// A ZIP file whose entries are not compressed.

const encoder = new TextEncoder();

/** Checksums are left out: whoever reads it in the same program needs none. */
export function writeStoredZip(files: ReadonlyMap<string, Uint8Array>): ArrayBuffer {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const nameBytes = encoder.encode(name);
    const head = localHeader(nameBytes, content.length);
    directory.push(directoryEntry(nameBytes, content.length, offset));
    parts.push(head, content);
    offset += head.length + content.length;
  }
  const directoryBytes = directory.reduce((sum, entry) => sum + entry.length, 0);
  return join([...parts, ...directory, endRecord(files.size, directoryBytes, offset)]);
}

function localHeader(name: Uint8Array, size: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(30 + name.length));
  view.setUint32(0, 0x04034b50, true);
  view.setUint16(4, 20, true);
  view.setUint32(18, size, true);
  view.setUint32(22, size, true);
  view.setUint16(26, name.length, true);
  return withName(view, 30, name);
}

function directoryEntry(name: Uint8Array, size: number, offset: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(46 + name.length));
  view.setUint32(0, 0x02014b50, true);
  view.setUint16(4, 20, true);
  view.setUint16(6, 20, true);
  view.setUint32(20, size, true);
  view.setUint32(24, size, true);
  view.setUint16(28, name.length, true);
  view.setUint32(42, offset, true);
  return withName(view, 46, name);
}

function endRecord(count: number, directoryBytes: number, offset: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(22));
  view.setUint32(0, 0x06054b50, true);
  view.setUint16(8, count, true);
  view.setUint16(10, count, true);
  view.setUint32(12, directoryBytes, true);
  view.setUint32(16, offset, true);
  return new Uint8Array(view.buffer);
}

function withName(view: DataView<ArrayBuffer>, at: number, name: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(view.buffer);
  bytes.set(name, at);
  return bytes;
}

function join(parts: readonly Uint8Array[]): ArrayBuffer {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}
