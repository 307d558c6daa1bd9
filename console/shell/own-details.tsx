import { catalogue } from '../parts/catalogue.ts';
import { Badge } from '../parts/content.tsx';
import { useConsole } from './console-context.ts';
import { Picture } from './shell.tsx';

const texts = catalogue(
  {
    employeeId: 'Employee ID',
    email: 'Email',
    verified: 'Verified',
    notVerified: 'Not verified',
    phone: 'Phone',
    roles: 'Roles',
    none: 'None',
  },
  {
    employeeId: 'Personalnummer',
    email: 'E-Mail',
    verified: 'Bestätigt',
    notVerified: 'Nicht bestätigt',
    phone: 'Telefon',
    roles: 'Rollen',
    none: 'Keine',
  },
);

/** The signed-in person's account data. */
export function OwnDetails() {
  const { me } = useConsole();
  const none = <span className="quiet">{texts.none}</span>;
  return (
    <div className="own-details">
      <Picture me={me} size={72} />
      <dl className="own-facts">
        <dt>{texts.employeeId}</dt>
        <dd>
          <bdi>{me.sub}</bdi>
        </dd>
        <dt>{texts.email}</dt>
        <dd>
          {me.email === '' ? (
            none
          ) : (
            <span className="row">
              <bdi>{me.email}</bdi>
              <Badge tone={me.emailVerified ? 'good' : 'neutral'}>
                {me.emailVerified ? texts.verified : texts.notVerified}
              </Badge>
            </span>
          )}
        </dd>
        <dt>{texts.phone}</dt>
        <dd>{me.phoneNumber === '' ? none : <bdi>{me.phoneNumber}</bdi>}</dd>
        <dt>{texts.roles}</dt>
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
