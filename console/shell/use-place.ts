// The page that is shown. Leaving something that was typed asks first, also with the browser's Back.
import { useEffect, useState } from 'react';
import { type Place, placeOf } from '../routes.ts';
import { askToDiscard, wouldLose } from './unsaved.ts';

/** Undefined where there is no such page. */
export function usePlace(): Place | undefined {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let shown = location.hash;
    const show = (next: string) => {
      shown = next;
      setHash(next);
    };
    const follow = async () => {
      if (location.hash === shown) return;
      if (!wouldLose(placeOf(location.hash))) return show(location.hash);
      const isDiscarded = await askToDiscard();
      if (location.hash === shown) return;
      if (isDiscarded) show(location.hash);
      else history.pushState(null, '', shown === '' ? './' : shown);
    };
    const onHashChange = () => void follow();
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  return placeOf(hash);
}
