import { CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { isTemporary } from './query-client.ts';
import { translateSentence } from './service/service-sentences.ts';
import { formatNumber } from '../parts/catalogue.ts';
import { shared } from '../parts/texts.ts';
import { Button } from '../parts/button.tsx';

const mostFaults = 50;

export interface ErrorText {
  title: string;
  text: string;
  faults: { field: string; message: string; line: number | undefined }[];
  requestId: string;
  /** For the address of a page about it. */
  code: string | undefined;
  canRetry: boolean;
}

/** An error in words for people. */
export function describeError(error: unknown): ErrorText {
  const nothing = { faults: [], requestId: '', code: undefined };
  if (!(error instanceof FrontdeskError)) {
    const text = error instanceof Error && error.constructor === Error ? error.message : shared.somethingWrongText;
    return { ...nothing, title: shared.somethingWrong, text, canRetry: false };
  }
  if (error.status === 0)
    return { ...nothing, title: shared.noConnection, text: shared.noConnectionText, canRetry: true };
  const { requestId, code, retryAfter } = error;
  const faults = error.errors.map(({ field, message, line }) => ({ field, line, message: translateSentence(message) }));
  const wait = retryAfter === undefined ? '' : ` ${shared.retryAfter(retryAfter)}`;
  const isForm = faults.length > 0;
  return {
    title: isForm ? shared.checkForm : translateSentence(error.title),
    text: isForm ? shared.checkFormText : translateSentence(error.detail) + wait,
    faults,
    requestId,
    code,
    canRetry: isTemporary(error),
  };
}

interface ErrorNoteProps {
  /** Nothing is shown while it is undefined or null. */
  error: unknown;
  title?: string | undefined;
  /** Shown where trying again can help. */
  onRetry?: (() => void) | undefined;
  onClose?: () => void;
}

/** Stays until it is closed or no longer true. */
export function ErrorNote({ error, title, onRetry, onClose }: ErrorNoteProps) {
  if (error === undefined || error === null) return null;
  return (
    <div className="note bad" role="alert">
      <CircleAlert aria-hidden="true" size={18} />
      <ErrorBody error={error} title={title}>
        {onRetry !== undefined && describeError(error).canRetry && <Button onPress={onRetry}>{shared.retry}</Button>}
      </ErrorBody>
      {onClose !== undefined && (
        <Button look="icon" aria-label={shared.close} onPress={onClose}>
          <X aria-hidden="true" size={16} />
        </Button>
      )}
    </div>
  );
}

export function ErrorBody({
  error,
  title,
  children,
}: {
  error: unknown;
  title?: string | undefined;
  children?: ReactNode;
}) {
  const described = describeError(error);
  const { faults, requestId, code } = described;
  return (
    <div className="note-body">
      <strong>{title ?? described.title}</strong>
      <p>{described.text}</p>
      {faults.length > 0 && (
        <ul>
          {faults.slice(0, mostFaults).map(({ field, message, line }) => (
            <li key={`${line} ${field} ${message}`}>
              {line !== undefined && `${shared.line(line)}: `}
              {message}
            </li>
          ))}
          {faults.length > mostFaults && <li>{shared.andMore(formatNumber(faults.length - mostFaults))}</li>}
        </ul>
      )}
      {children}
      {requestId !== '' && (
        <details>
          <summary>{shared.details}</summary>
          <p>
            {shared.requestId(requestId)} · <a href={`problems/${code}`}>{shared.aboutProblem}</a>
          </p>
        </details>
      )}
    </div>
  );
}
