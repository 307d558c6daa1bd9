import { useLookup } from '../../client/src/react.ts';
import { day, ErrorNote, Waiting } from './parts.tsx';

interface ListPreviewProps {
  name: string;
  asOf: string;
  version: number;
  onClose: () => void;
}

/** The list as forms will have it on that day. */
export function ListPreview({ name, asOf, version, onClose }: ListPreviewProps) {
  const { data, error, isStale } = useLookup(name, { asOf, version });
  // Not the items of another day.
  const items = isStale ? undefined : data;
  return (
    <section className="card" aria-labelledby="preview">
      <div className="heading">
        <h2 id="preview">As of {day(asOf)}</h2>
        <button type="button" onClick={onClose}>
          Close the preview
        </button>
      </div>
      <ErrorNote error={error} />
      {items === undefined && error === undefined && <Waiting what="Loading the preview…" />}
      {items?.length === 0 && <p className="quiet">The list has no values that day.</p>}
      <ol className="preview">
        {items?.map((item) => (
          <li key={item.value}>
            <bdi>{item.label}</bdi> <code>{item.value}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
