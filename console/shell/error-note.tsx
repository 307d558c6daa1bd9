import { CircleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { FrontdeskError } from '../../client/src/index.ts';
import { Button } from '../parts/button.tsx';
import { formatNumber } from '../parts/catalogue.ts';
import { shared } from '../parts/texts.ts';
import { translateSentence } from './service/service-sentences.ts';
import { shellTexts } from './texts.ts';

/** Whether trying again can help: there is no network, there were too many requests, or the server failed. */
export const isTemporary = (error: unknown) =>
  error instanceof FrontdeskError && (error.status === 0 || error.status === 429 || error.status >= 500);

const maxFaults = 50;

interface ErrorText {
  title: string;
  text: string;
  faults: { field: string; message: string; line: number | undefined }[];
  requestId: string;
  /** The code of the problem, whose page is /problems/CODE. */
  code: string | undefined;
  canRetry: boolean;
}

/** Describes an error in words that users understand. */
export function describeError(error: unknown): ErrorText {
  const nothing = { faults: [], requestId: '', code: undefined };
  if (!(error instanceof FrontdeskError)) {
    const text = error instanceof Error && error.constructor === Error ? error.message : shellTexts.somethingWrongText;
    return { ...nothing, title: shellTexts.somethingWrong, text, canRetry: false };
  }
  if (error.status === 0)
    return { ...nothing, title: shellTexts.noConnection, text: shellTexts.noConnectionText, canRetry: true };
  const { requestId, code, retryAfter } = error;
  const faults = error.errors.map(({ field, message, line }) => ({ field, line, message: translateSentence(message) }));
  const wait = retryAfter === undefined ? '' : ` ${shellTexts.retryAfter(retryAfter)}`;
  const isForm = faults.length > 0;
  return {
    title: isForm ? shellTexts.checkForm : translateSentence(error.title),
    text: isForm ? shellTexts.checkFormText : translateSentence(error.detail) + wait,
    faults,
    requestId,
    code,
    canRetry: isTemporary(error),
  };
}

interface ErrorNoteProps {
  /** If undefined or null, nothing is shown. */
  error: unknown;
  title?: string | undefined;
  /** Offered as a button if trying again can help. */
  onRetry?: (() => void) | undefined;
  onClose?: () => void;
}

/** The note stays until it is closed or the error no longer applies. */
export function ErrorNote({ error, title, onRetry, onClose }: ErrorNoteProps) {
  if (error === undefined || error === null) return null;
  return (
    <div className="note bad" role="alert">
      <CircleAlert aria-hidden="true" size={18} />
      <ErrorBody error={error} title={title}>
        {onRetry !== undefined && describeError(error).canRetry && (
          <Button onPress={onRetry}>{shellTexts.retry}</Button>
        )}
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
          {faults.slice(0, maxFaults).map(({ field, message, line }) => (
            <li key={`${line} ${field} ${message}`}>
              {line !== undefined && `${shellTexts.line(line)}: `}
              {message}
            </li>
          ))}
          {faults.length > maxFaults && <li>{shellTexts.andMore(formatNumber(faults.length - maxFaults))}</li>}
        </ul>
      )}
      {children}
      {requestId !== '' && (
        <details>
          <summary>{shared.details}</summary>
          <p>
            {shellTexts.requestId(requestId)} · <a href={`problems/${code}`}>{shellTexts.aboutProblem}</a>
          </p>
        </details>
      )}
    </div>
  );
}
