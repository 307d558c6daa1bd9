// What a list is.
import type { KeptItem } from './item.ts';

/** Everything about a list except its name, version and items. */
export type ListSettings = {
  title: string;
  description: string | null;
  /** The roles that may read it; null for the service's default. */
  readers: string[] | null;
  /** The roles that may change it, besides administrators. */
  keepers: string[] | null;
  archived: boolean;
};

/** The settings to change. */
export type GivenSettings = { [Name in keyof ListSettings]?: ListSettings[Name] | undefined };

/** The settings of a new list, besides its title. */
export const noSettings = { description: null, readers: null, keepers: null, archived: false } as const;

export type KeptList = ListSettings & { list: string; version: number; items: KeptItem[] };
