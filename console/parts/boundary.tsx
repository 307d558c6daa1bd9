import { Component, type ReactNode } from 'react';
import { shared } from '../texts/shared.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';

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
      <div className="failed">
        {isMissingPart ? (
          <ErrorNote error={new Error(shared.newVersionText)} title={shared.newVersion} />
        ) : (
          <ErrorNote error={error} />
        )}
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
