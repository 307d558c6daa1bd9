// The person who is signed in.
import { useState } from 'react';
import type { CurrentUser } from '../../client/src/index.ts';

export function Profile({ me }: { me: CurrentUser }) {
  return (
    <section className="card person" aria-labelledby="profile">
      <Picture me={me} size={96} />
      <div>
        <h1 id="profile" dir="auto">
          {me.name}
        </h1>
        <p className="quiet">Employee {me.sub}</p>
        <dl>
          <dt>Email</dt>
          <dd>
            {me.email === '' ? (
              <span className="quiet">none</span>
            ) : (
              <>
                {me.email} <span className="badge">{me.emailVerified ? '✓ verified' : 'not verified'}</span>
              </>
            )}
          </dd>
          <dt>Phone</dt>
          <dd>{me.phoneNumber === '' ? <span className="quiet">none</span> : <bdi>{me.phoneNumber}</bdi>}</dd>
          <dt>Roles</dt>
          <dd>
            {me.roles.length === 0 && <span className="quiet">none</span>}
            {me.roles.map((role) => (
              <span className="badge" key={role}>
                {role}
              </span>
            ))}
          </dd>
          <dt>Signed in</dt>
          <dd>
            <a href="#/sessions">Your sessions</a>
          </dd>
        </dl>
      </div>
    </section>
  );
}

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
      src={me.picture}
      alt=""
      width={size}
      height={size}
      referrerPolicy="no-referrer"
      onError={() => setFailed(true)}
    />
  );
}
