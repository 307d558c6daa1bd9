import { useConsole } from './console-context.ts';
import { profile } from '../pages/profile/texts.ts';
import { shared } from '../parts/texts.ts';
import { Badge } from '../parts/badge.tsx';
import { Picture } from './picture.tsx';

/** The person who is signed in, as the company's account has them. */
export function OwnDetails() {
  const { me } = useConsole();
  const none = <span className="quiet">{shared.none}</span>;
  return (
    <div className="own-details">
      <Picture me={me} size={72} />
      <dl className="own-facts">
        <dt>{profile.employeeId}</dt>
        <dd>
          <bdi>{me.sub}</bdi>
        </dd>
        <dt>{profile.email}</dt>
        <dd>
          {me.email === '' ? (
            none
          ) : (
            <span className="row">
              <bdi>{me.email}</bdi>
              <Badge tone={me.emailVerified ? 'good' : 'neutral'}>
                {me.emailVerified ? profile.verified : profile.notVerified}
              </Badge>
            </span>
          )}
        </dd>
        <dt>{profile.phone}</dt>
        <dd>{me.phoneNumber === '' ? none : <bdi>{me.phoneNumber}</bdi>}</dd>
        <dt>{profile.roles}</dt>
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
