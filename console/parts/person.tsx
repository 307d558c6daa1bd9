import { useState } from 'react';
import type { CurrentUser } from '../../client/src/index.ts';
import { commandLineAccount, programOf } from '../data/actor.ts';
import { shared } from '../texts/shared.ts';

/** The provider's picture, or the person's initials where it cannot be loaded. */
export function Picture({ me, size }: { me: CurrentUser; size: number }) {
  const [hasFailed, setFailed] = useState(false);
  const initials =
    [me.givenName, me.familyName].map((name) => Array.from(name)[0] ?? '').join('') || Array.from(me.name)[0];
  if (hasFailed) {
    return (
      <span className="initials" aria-hidden="true" style={{ width: size, height: size, fontSize: size * 0.4 }}>
        {initials}
      </span>
    );
  }
  return (
    <img
      className="picture"
      src={me.picture}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}

interface Author {
  by: string;
  byName: string | null;
}

/** Who made a change, by name where it is known. */
export function authorName({ by, byName }: Author): string {
  if (byName !== null) return byName;
  const program = programOf(by);
  if (program !== undefined) return shared.program(program);
  const account = commandLineAccount(by);
  return account === undefined ? by : shared.commandLine(account);
}
