// Parts of the console that are loaded when they are first shown, and the message if one cannot be loaded or shown.
import { WifiOff } from 'lucide-react';
import { Component, type ComponentType, lazy, type ReactNode, useEffect } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { Actions, Dialog } from '../parts/dialog.tsx';
import { shared } from '../parts/texts.ts';
import { fetchConsoleFile, PartReplaced } from './api.ts';
import { shellTexts } from './texts.ts';

/** Increased when the message about a failure goes away, so that failed parts are loaded again. */
let attempt = 0;

/** Returns a component whose code is loaded when it is first shown. `load` must contain the `import()`. */
export function part<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  /** A component from `lazy` remembers a failure, so each attempt needs a new component. */
  const start = () => {
    const loading = { attempt, hasFailed: false, Loaded: lazy(loadOnce) };
    async function loadOnce() {
      try {
        // The bundler has replaced the path in the source with the name of the built file.
        const file = /part-\w+\.js/.exec(String(load))?.[0];
        if (file !== undefined) await fetchConsoleFile(file);
        return { default: await load() };
      } catch (error) {
        loading.hasFailed = true;
        throw error;
      }
    }
    return loading;
  };
  let current = start();
  return function Part(props) {
    if (current.hasFailed && current.attempt !== attempt) current = start();
    return <current.Loaded {...props} />;
  };
}

interface BoundaryProps {
  children: ReactNode;
  /** If set, the message is shown in a dialog over the page, with a button that closes it. */
  onClose?: () => void;
  /** Whether the message is shown inside a dialog that is already open. */
  isInDialog?: boolean;
}

/** Shows why a part of the page could not be loaded or shown. Everything outside the boundary keeps working. */
export class Boundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};
  #hasRetried = false;

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error() };
  }

  override componentWillUnmount() {
    if (this.state.error !== undefined) attempt++;
  }

  readonly retry = () => {
    attempt++;
    this.#hasRetried = true;
    this.setState({ error: undefined });
  };

  override render() {
    const { error } = this.state;
    const { children, onClose, isInDialog } = this.props;
    if (error === undefined) return children;
    const { isOffline, title, text } = describeFailure(error);
    const button = isOffline ? (
      // The button that was pressed has disappeared, and with it the focus.
      <RetryButton onRetry={this.retry} autoFocus={this.#hasRetried} />
    ) : (
      <Button look="primary" onPress={() => location.reload()}>
        {shellTexts.reload}
      </Button>
    );
    if (onClose !== undefined)
      return (
        <Dialog title={title} isAlert onClose={onClose}>
          <p>{text}</p>
          <Actions>
            <Button onPress={onClose}>{shared.close}</Button>
            {button}
          </Actions>
        </Dialog>
      );
    if (isInDialog)
      return (
        <div className="stack">
          <p role="alert">
            <strong>{title}</strong> {text}
          </p>
          <Actions>{button}</Actions>
        </div>
      );
    return (
      <div className="failed stack">
        {isOffline && <WifiOff aria-hidden="true" size={32} />}
        <h1>{title}</h1>
        <p role="alert">{text}</p>
        <p className="row">
          {button}
          <a href="#/">{shellTexts.goHome}</a>
        </p>
      </div>
    );
  }
}

function describeFailure(error: unknown) {
  if (error instanceof FrontdeskError)
    return { isOffline: true, title: shellTexts.noConnection, text: shellTexts.noConnectionText };
  if (error instanceof PartReplaced)
    return { isOffline: false, title: shellTexts.newVersion, text: shellTexts.newVersionText };
  return { isOffline: false, title: shellTexts.somethingWrong, text: shellTexts.somethingWrongText };
}

/** Also retries without a click when the browser reports that the connection is back. */
function RetryButton({ onRetry, autoFocus }: { onRetry: () => void; autoFocus: boolean }) {
  useEffect(() => {
    addEventListener('online', onRetry);
    return () => removeEventListener('online', onRetry);
  }, [onRetry]);
  return (
    <Button look="primary" autoFocus={autoFocus} onPress={onRetry}>
      {shellTexts.retry}
    </Button>
  );
}
