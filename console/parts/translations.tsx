interface TranslationsProps {
  /** Language and text of each, in the order they were typed. */
  labels: [string, string][];
  onChange: (labels: [string, string][]) => void;
  fault: string | undefined;
}

export function Translations({ labels, onChange, fault }: TranslationsProps) {
  const translate = (index: number, entry: [string, string]) =>
    onChange(labels.map((each, other) => (other === index ? entry : each)));
  return (
    <fieldset>
      <legend>Translations</legend>
      {labels.map(([language, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place; its language is being typed
        <div className="row" key={index}>
          <input
            className="short"
            aria-label={`Language ${index + 1}`}
            placeholder="de"
            value={language}
            onChange={(event) => translate(index, [event.target.value, text])}
          />
          <input
            aria-label={`Translation ${index + 1}`}
            dir="auto"
            lang={language}
            value={text}
            onChange={(event) => translate(index, [language, event.target.value])}
          />
          <button
            type="button"
            className="plain"
            aria-label={`Remove translation ${index + 1}`}
            onClick={() => onChange(labels.filter((_, other) => other !== index))}
          >
            ✕
          </button>
        </div>
      ))}
      <button type="button" className="plain" onClick={() => onChange([...labels, ['', '']])}>
        Add a translation
      </button>
      {fault !== undefined && <p className="fault">{fault}</p>}
    </fieldset>
  );
}
