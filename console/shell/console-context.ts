// The context of every page: the client, the API, and who is signed in.
import { createContext, useContext } from 'react';
import type { CurrentUser, Frontdesk } from '../../client/src/index.ts';
import { addressOf, type Place, pageKey, placeOf } from '../routes.ts';
import type { Api, Permissions } from './api.ts';

interface ConsoleContext {
  desk: Frontdesk;
  api: Api;
  me: CurrentUser;
  permissions: Permissions;
}

const Context = createContext<ConsoleContext | undefined>(undefined);
export const ConsoleProvider = Context.Provider;

export function useConsole(): ConsoleContext {
  const context = useContext(Context);
  if (context === undefined) throw new Error('useConsole() was called outside <ConsoleProvider>.');
  return context;
}

/** The page that the address names. */
export const currentPage = () => pageKey(placeOf(location.hash));

export function navigate(place: Place): void {
  location.hash = addressOf(place);
}
