// Hides pauses of the machine from this process: its clock and timers stop meanwhile. Otherwise, a pause of some seconds
// would exceed the service's time limits for the provider (5 s) and for PostgreSQL (2 s and 3.5 s), and what lasts only some
// seconds (a cached failure, a token that has just expired) would be over before a test can check it.

const beatMs = 100;
const shortestPauseMs = 300;
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

let lastBeat = performance.now();
/** Milliseconds in which this process did not run. */
let paused = 0;
function beat(): void {
  const now = performance.now();
  if (now - lastBeat > shortestPauseMs) paused += now - lastBeat;
  lastBeat = now;
}
setInterval(beat, beatMs).unref();

/** For each timer that a caller has, the timer that continues it after a pause. */
const continued = new WeakMap<object, NodeJS.Timeout>();

function startLongTimer(act: (...args: unknown[]) => void, ms: number, args: unknown[]): NodeJS.Timeout {
  const [start, pausedBefore] = [performance.now(), paused];
  const timer = startTimer(() => {
    beat();
    const left = ms - (performance.now() - start - (paused - pausedBefore));
    if (left < 1) act(...args);
    else continued.set(timer, startLongTimer(act, left, args));
  }, ms);
  return timer;
}

const isLong = (ms: number | undefined): ms is number => ms !== undefined && ms >= 1000;
globalThis.setTimeout = Object.assign(
  (act: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    isLong(ms) ? startLongTimer(act, ms, args) : startTimer(act, ms, ...args),
  startTimer,
) as typeof setTimeout;

globalThis.clearTimeout = ((timer?: NodeJS.Timeout | number | string) => {
  stopTimer(timer);
  if (typeof timer === 'object') clearTimeout(continued.get(timer));
}) as typeof clearTimeout;

AbortSignal.timeout = (ms) => {
  const controller = new AbortController();
  const reason = new DOMException('The operation timed out.', 'TimeoutError');
  setTimeout(() => controller.abort(reason), ms).unref();
  return controller.signal;
};

const { Date: RealDate } = globalThis;
globalThis.Date = class extends RealDate {
  constructor(...given: [] | ConstructorParameters<DateConstructor>) {
    super(...((given.length === 0 ? [Date.now()] : given) as [number]));
  }
  static override now(): number {
    return RealDate.now() - Math.floor(paused);
  }
} as DateConstructor;
