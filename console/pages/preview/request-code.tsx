// What the form would store, and the request behind the dropdown that was used last.
import { clientCodeOf, curlOf } from './preview-request.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { previewTexts } from './texts.ts';

interface RequestCodeProps {
  baseUrl: string;
  list: string;
  title: string;
  language: string | undefined;
  /** By list; null where nothing was chosen. */
  stored: Readonly<Record<string, string | null>>;
}

export function RequestCode({ baseUrl, list, title, language, stored }: RequestCodeProps) {
  const json = JSON.stringify(stored, null, 2);
  return (
    <section className="card preview-code">
      <Snippet title={previewTexts.stored} text={json} copyLabel={previewTexts.copyStored} level="h2" />
      <h2 dir="auto">{previewTexts.request(title)}</h2>
      <Snippet
        title={previewTexts.curl}
        text={curlOf({ baseUrl, list, language })}
        copyLabel={previewTexts.copyCurl}
        level="h3"
      />
      <Snippet
        title={previewTexts.code}
        text={clientCodeOf({ list, language })}
        copyLabel={previewTexts.copyCode}
        level="h3"
      />
    </section>
  );
}

interface SnippetProps {
  title: string;
  text: string;
  copyLabel: string;
  level: 'h2' | 'h3';
}

function Snippet({ title, text, copyLabel, level: Heading }: SnippetProps) {
  return (
    <>
      <div className="preview-snippet">
        <Heading>{title}</Heading>
        <CopyButton text={text} label={copyLabel} />
      </div>
      <pre dir="ltr">{text}</pre>
    </>
  );
}
