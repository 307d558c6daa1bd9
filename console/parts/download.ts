export function download(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Delayed, since some browsers read the file later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
