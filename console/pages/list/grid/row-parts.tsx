// What a row says about its value.

import { authorName } from '../../../lists/actor.ts';
import { Moment } from '../../../parts/moment.tsx';

export interface LastChange {
  at: string;
  by: string;
  byName: string | null;
}

export function LastChangeText({ change }: { change: LastChange }) {
  return (
    <>
      <bdi>
        <Moment at={change.at} isBrief />
      </bdi>{' '}
      · <bdi>{authorName(change)}</bdi>
    </>
  );
}
