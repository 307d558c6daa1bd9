// The cell that a key moves to in a grid that is edited like a spreadsheet. Pure.

export interface GridPlace {
  row: number;
  column: number;
}

interface GridSize {
  rows: number;
  columns: number;
  /** Number of rows in view. */
  page: number;
}

interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

interface Mode {
  /** Whether arrow keys move within the text: after F2 or a second click. */
  isInText: boolean;
  isRightToLeft: boolean;
}

/** Returns undefined if the key does not move to another cell. Tab leaves the grid at the first and last cell. */
export function moveFor(press: KeyPress, from: GridPlace, size: GridSize, mode: Mode): GridPlace | undefined {
  const { key, shiftKey, altKey } = press;
  const isJump = press.ctrlKey || press.metaKey;
  if (altKey || (isJump && key !== 'Home' && key !== 'End')) return undefined;
  if (key === 'Tab') return nextCell(from, size, shiftKey ? -1 : 1);
  if (key === 'Enter') return within({ ...from, row: from.row + (shiftKey ? -1 : 1) }, size);
  if (mode.isInText || shiftKey) return undefined;
  const forward = mode.isRightToLeft ? -1 : 1;
  switch (key) {
    case 'ArrowUp':
      return within({ ...from, row: from.row - 1 }, size);
    case 'ArrowDown':
      return within({ ...from, row: from.row + 1 }, size);
    case 'ArrowLeft':
      return within({ ...from, column: from.column - forward }, size);
    case 'ArrowRight':
      return within({ ...from, column: from.column + forward }, size);
    case 'PageUp':
      return within({ ...from, row: from.row - size.page }, size);
    case 'PageDown':
      return within({ ...from, row: from.row + size.page }, size);
    case 'Home':
      return { row: isJump ? 0 : from.row, column: 0 };
    case 'End':
      return { row: isJump ? size.rows - 1 : from.row, column: size.columns - 1 };
    default:
      return undefined;
  }
}

function within({ row, column }: GridPlace, { rows, columns }: GridSize): GridPlace {
  return { row: Math.max(0, Math.min(row, rows - 1)), column: Math.max(0, Math.min(column, columns - 1)) };
}

function nextCell({ row, column }: GridPlace, { rows, columns }: GridSize, step: 1 | -1): GridPlace | undefined {
  const next = row * columns + column + step;
  if (next < 0 || next >= rows * columns) return undefined;
  return { row: Math.floor(next / columns), column: next % columns };
}
