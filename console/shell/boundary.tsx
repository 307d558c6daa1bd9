import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { shellTexts } from './texts.ts';

/** Shows a rendering error instead of an empty page. A new `key` tries again. */
export class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error() };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isMissingPart =
      error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
    return (
      <div className="failed stack">
        <h1>{isMissingPart ? shellTexts.newVersion : shellTexts.somethingWrong}</h1>
        <p role="alert">{isMissingPart ? shellTexts.newVersionText : shellTexts.somethingWrongText}</p>
        <p className="row">
          <Button look="primary" onPress={() => location.reload()}>
            {shellTexts.reload}
          </Button>
          <a href="#/">{shellTexts.goHome}</a>
        </p>
      </div>
    );
  }
}
