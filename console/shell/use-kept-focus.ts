import { useEffect } from 'react';
import { currentPage } from './console-context.ts';

/** Controls outside of these, such as menu items, are not remembered. */
const areas = 'main, [role=dialog]';
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]';
/** How many controls are remembered, newest first, because the newest may have disappeared together with their dialog. */
const mostRemembered = 10;

/**
 * If the focused control disappears or is disabled after a key was pressed, focuses the control next to it, in the nearest
 * element that is still there. Screen readers would otherwise start again at the top of the page.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let remembered: { page: string; parts: Element[] }[] = [];
    let last: Element | undefined;
    let isKeyboard = false;
    let frame = 0;

    function onInput({ type }: Event): void {
      isKeyboard = type === 'keydown';
    }
    function onFocus({ target }: FocusEvent): void {
      last = target as Element;
      const parts = [];
      for (let part: Element | null = last; part?.closest(areas); part = part.parentElement) {
        if (part.id !== 'main') parts.push(part);
      }
      if (parts.length === 0) return;
      remembered = [{ page: currentPage(), parts }, ...remembered.slice(0, mostRemembered - 1)];
    }
    const isLost = () => isKeyboard && last !== undefined && (!last.isConnected || last.matches(':disabled'));
    function restore(): void {
      frame = 0;
      if (!isLost() || document.activeElement?.matches('body, :disabled') === false) return;
      const parts = remembered.filter(({ page }) => page === currentPage()).flatMap((each) => each.parts);
      const places = [...parts, ...document.querySelectorAll('#main h1')].filter(({ isConnected }) => isConnected);
      for (const place of places) {
        const control = [place, ...place.querySelectorAll(controls)].find(isFocusable);
        if (!(control instanceof HTMLElement)) continue;
        control.focus();
        return;
      }
    }
    // Waits for two frames, because dialogs and pages may move the focus themselves.
    function restoreLater(): void {
      frame = requestAnimationFrame(restore);
    }
    const observer = new MutationObserver(() => {
      if (frame === 0 && isLost()) frame = requestAnimationFrame(restoreLater);
    });

    const stop = new AbortController();
    const listen = { capture: true, signal: stop.signal };
    document.addEventListener('keydown', onInput, listen);
    document.addEventListener('pointerdown', onInput, listen);
    document.addEventListener('focusin', onFocus, listen);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      stop.abort();
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);
}

function isFocusable(element: Element): boolean {
  if (!element.matches(controls) || element.matches(':disabled') || !element.checkVisibility()) return false;
  const isControl = element instanceof HTMLElement && (element.tabIndex >= 0 || element.tagName === 'H1');
  return isControl && element.closest('[inert], [aria-hidden=true]') === null;
}
