import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ErrorNote } from './parts/parts.tsx';

/** Shows a defect as an error, and not as an empty page. */
class Boundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main>
        <ErrorNote error={this.state.error} />
        <p>
          <a href="./">Go home</a>
        </p>
      </main>
    );
  }
}

const root = document.querySelector<HTMLElement>('#console');
const home = root?.dataset.home ?? '';
if (root !== null && new URL('.', location.href).href !== home) {
  // The provider accepts one address of this page; this is another name of the same machine.
  location.replace(home + location.hash);
} else if (root !== null) {
  createRoot(root).render(
    <Boundary>
      <App />
    </Boundary>,
  );
}
