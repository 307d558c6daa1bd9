import { Component, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { ErrorNote } from './parts/parts.tsx';

/** A defect of ours shows as one, and not as an empty page. */
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
          <a href="./">Start again</a>
        </p>
      </main>
    );
  }
}

const root = document.querySelector<HTMLElement>('#console');
const home = root?.dataset.home ?? '';
if (root !== null && new URL('.', location.href).href !== home) {
  // Sign-in knows one address, and this is another name for it.
  location.replace(home + location.hash);
} else if (root !== null) {
  createRoot(root).render(
    <Boundary>
      <App />
    </Boundary>,
  );
}
