import { ArrowRight } from 'lucide-react';
import { versionTexts as texts } from './texts.ts';

interface BeforeAndNowProps {
  name: string;
  /** Null where there was or is none. */
  before: string | null;
  now: string | null;
}

/** `Label: Clerk → Senior clerk` */
export function BeforeAndNow({ name, before, now }: BeforeAndNowProps) {
  return (
    <div className="difference">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {before === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}{' '}
        <ArrowRight aria-hidden="true" size={14} className="flips" />
        <span className="unseen">{texts.now}</span>{' '}
        {now === null ? (
          <span className="quiet">{texts.none}</span>
        ) : (
          <ins>
            <bdi>{now}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}
