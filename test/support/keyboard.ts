// Which controls of a page can be reached by keyboard.
import type { Page } from 'playwright-core';

const maxPresses = 200;

/**
 * Presses Tab until the focus is back at the start, and returns visible, enabled controls that never had the focus. In a
 * widget with a single tab stop and arrow keys (a grid, a menu, a field with options), one visited control counts for all.
 */
export async function unreachableControls(page: Page): Promise<string[]> {
  await page.evaluate(`(() => {
    globalThis.walk?.abort();
    globalThis.walk = new AbortController();
    globalThis.visited = new Set();
    globalThis.isRound = false;
    const visit = (element) => {
      if (element === null || element === document.body) return;
      isRound ||= visited.has(element);
      visited.add(element);
    };
    const within = document.querySelector('[role=dialog][aria-modal], [role=alertdialog][aria-modal], [role=menu], [role=listbox]');
    if (within?.contains(document.activeElement)) visit(document.activeElement);
    else document.activeElement?.blur?.();
    // Counts only focus that Tab has moved, not focus that the page has set.
    const onKeyUp = ({ key }) => key === 'Tab' && visit(document.activeElement);
    document.addEventListener('keyup', onKeyUp, { signal: walk.signal, capture: true });
  })()`);
  // After the last control, Tab moves the focus to the page itself, and then to the first control.
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press('Tab');
    if (presses % 5 === 4 && (await page.evaluate<boolean>('isRound'))) break;
  }
  return page.evaluate<string[]>(`(() => {
    const composite = '.combo-input, [role=grid], [role=treegrid], [role=menu], [role=listbox], [role=radiogroup], [role=toolbar], [role=tablist]';
    const isHidden = (element) =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: false }) ||
      element.closest('[inert], [aria-hidden=true]') !== null;
    // A modal dialog or a menu traps the focus.
    const overlay = document.querySelector('[role=menu], [role=listbox]') ?? document.querySelector('[role=alertdialog][aria-modal], [role=dialog][aria-modal]');
    const scope = overlay?.closest('[role=presentation], .overlay, .popover') ?? overlay ?? document;
    return [...scope.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
      .filter((element) => !element.disabled && !isHidden(element) && !visited.has(element))
      .filter((element) => {
        const widget = element.closest(composite);
        return widget === null || ![...visited].some((each) => widget.contains(each));
      })
      // Leaves out invisible buttons that close a menu for screen readers. Tab need not reach them, as Escape closes it too.
      .filter((element) => element.tabIndex >= 0 || element.parentElement.offsetWidth > 1)
      // Leaves out hidden inputs, and file inputs that are opened by a styled button.
      .filter((element) => element.type !== 'file' && element.type !== 'hidden')
      .map((element) => element.outerHTML.slice(0, 160));
  })()`);
}
