import { useState } from 'react';
import type { CurrentUser } from '../../client/src/index.ts';
import { Badge } from '../parts/badge.tsx';
import { useConsole } from './console-context.ts';
import { shellTexts } from './texts.ts';

/** The signed-in person's account data. */
export function OwnDetails() {
  const { me } = useConsole();
  const none = <span className="quiet">{shellTexts.none}</span>;
  return (
    <div className="own-details">
      <Picture me={me} size={72} />
      <dl className="own-facts">
        <dt>{shellTexts.employeeId}</dt>
        <dd>
          <bdi>{me.sub}</bdi>
        </dd>
        <dt>{shellTexts.email}</dt>
        <dd>
          {me.email === '' ? (
            none
          ) : (
            <span className="row">
              <bdi>{me.email}</bdi>
              <Badge tone={me.emailVerified ? 'good' : 'neutral'}>
                {me.emailVerified ? shellTexts.verified : shellTexts.notVerified}
              </Badge>
            </span>
          )}
        </dd>
        <dt>{shellTexts.phone}</dt>
        <dd>{me.phoneNumber === '' ? none : <bdi>{me.phoneNumber}</bdi>}</dd>
        <dt>{shellTexts.roles}</dt>
        <dd className="row">
          {me.roles.length === 0 && none}
          {me.roles.map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </dd>
      </dl>
    </div>
  );
}

/** The provider's picture, or the initials if it cannot be loaded. */
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
