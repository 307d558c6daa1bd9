// How each command is used, from the table.
import { type CommandName, commandTable } from './command-table.ts';

export const commandNames = Object.keys(commandTable) as CommandName[];

/** `frontdesk lookups undo LIST VERSION [--reason TEXT]` */
function usageLine(name: CommandName): string {
  const { words = [], options = {}, orOption } = commandTable[name];
  const given = Object.entries(options).map(([option, takes]) => {
    const call = takes === 'flag' ? `--${option}` : `--${option} ${takes}`;
    return option === orOption ? `| ${call}` : `[${call}]`;
  });
  const shown = words.map((word) => (orOption === undefined ? word : word.replace(/[[\]]/g, '')));
  return ['frontdesk', name, ...shown, ...given].join(' ');
}

export function usageOfCommand(name: CommandName): string {
  const { about, more } = commandTable[name];
  // Such as `audit`, which is also a group.
  const others = namesOfGroup(name);
  const seeAlso = others.length === 0 ? '' : `\n${rows(others)}`;
  return `Usage: ${usageLine(name)}\n\n${[about, more].filter((part) => part !== undefined).join('\n')}\n${seeAlso}`;
}

const namesOfGroup = (group: string) => commandNames.filter((name) => name.startsWith(`${group} `));

/** Of a group such as `keys`; undefined where there is none of that name. */
export function usageOfGroup(group: string): string | undefined {
  const names = namesOfGroup(group);
  return names.length === 0 ? undefined : `Usage: frontdesk ${group} COMMAND\n\n${rows(names)}`;
}

export function usageOfAll(): string {
  return `Usage: frontdesk [COMMAND]\n\n${rows(commandNames)}\nfrontdesk COMMAND --help explains one command.\n`;
}

const aboutColumn = 43;

function rows(names: readonly CommandName[]): string {
  return names
    .map((name) => {
      const call = `  ${usageLine(name).replace('frontdesk ', '')}`;
      const gap = call.length < aboutColumn - 1 ? ''.padEnd(aboutColumn - call.length) : `\n${''.padEnd(aboutColumn)}`;
      return `${call}${gap}${commandTable[name].about}\n`;
    })
    .join('');
}
