// What a row says about its value.
import { Moment } from '../../parts/moment.tsx';
import { authorName } from '../../parts/person.tsx';

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
