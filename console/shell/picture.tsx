import { useState } from 'react';
import type { CurrentUser } from '../../client/src/index.ts';

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
