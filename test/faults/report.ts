export interface FaultReport {
  fault: string;
  /** Valid requests sent during the fault, and how many of them got a wrong answer. */
  sent: number;
  failed: number;
  /** Changes that were acknowledged and are missing afterwards. */
  lost: number;
  /** Time until everything worked again; the longest of several rounds. */
  recoverySeconds: number;
  /** Other results, as text for the table. */
  notes: string;
}

export function printReports(reports: readonly FaultReport[]): void {
  const head = ['fault', 'requests', 'failed', 'lost changes', 's to recover', ''];
  const rows = reports.map((each) => [
    each.fault,
    String(each.sent),
    String(each.failed),
    String(each.lost),
    each.recoverySeconds.toFixed(1),
    each.notes,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  process.stdout.write(`\n${lines.map((line) => line.trimEnd()).join('\n')}\n\n`);
}
