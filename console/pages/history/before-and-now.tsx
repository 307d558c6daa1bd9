import { ArrowRight } from 'lucide-react';
import { versionTexts as texts } from '../../texts/versions.ts';

/** `Label: Clerk → Senior clerk` */
export function BeforeAndNow({ name, before, now }: { name: string; before: string; now: string }) {
  return (
    <div className="difference">
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        <del>
          <bdi>{before}</bdi>
        </del>{' '}
        <ArrowRight aria-hidden="true" size={14} className="flips" />
        <span className="unseen">{texts.now}</span>{' '}
        <ins>
          <bdi>{now}</bdi>
        </ins>
      </dd>
    </div>
  );
}
