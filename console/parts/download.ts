export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Revoked later, since some browsers do not read the file immediately.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
