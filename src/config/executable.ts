/** Whether this is the one-file executable, which holds every module and file it needs. */
export const isExecutable = Bun.main.startsWith('/$bunfs/') || /^[A-Z]:[/\\]~BUN[/\\]/.test(Bun.main);
