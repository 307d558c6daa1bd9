import { Component, type ReactNode } from 'react';
import { shared } from '../parts/texts.ts';
import { Button } from '../parts/button.tsx';

/** Shows a defect as an error, and not as an empty page. A new `key` tries again. */
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
        <h1>{isMissingPart ? shared.newVersion : shared.somethingWrong}</h1>
        <p role="alert">{isMissingPart ? shared.newVersionText : shared.somethingWrongText}</p>
        <p className="row">
          <Button look="primary" onPress={() => location.reload()}>
            {shared.reload}
          </Button>
          <a href="#/">{shared.goHome}</a>
        </p>
      </div>
    );
  }
}
