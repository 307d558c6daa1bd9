/** One fault and what came of it. */
export interface FaultReport {
  fault: string;
  /** Honest requests while it lasted, and those among them that were not answered as they should have been. */
  sent: number;
  failed: number;
  /** Changes that were acknowledged and are not there afterwards. */
  lost: number;
  /** Until everything worked again; of several rounds, the longest. */
  recoverySeconds: number;
  /** What else was counted, in words. */
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
