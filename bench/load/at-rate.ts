// Sends requests at a fixed rate, even if earlier requests are not answered yet. Prints the duration of each request,
// in milliseconds, as JSON.
const [url = '', authorization = '', perSecond = '', seconds = ''] = process.argv.slice(2);
const pauseMs = 1000 / Number(perSecond);
const count = Number(perSecond) * Number(seconds);

async function ask(): Promise<number> {
  const start = performance.now();
  const response = await fetch(url, { headers: { authorization } });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status}`);
  return performance.now() - start;
}

// These requests are not measured. They open connections and warm up this process.
for (let n = 0; n < 50; n++) await ask();
const began = performance.now();
const asked = [];
for (let n = 0; n < count; n++) {
  await Bun.sleep(Math.max(0, began + n * pauseMs - performance.now()));
  asked.push(ask());
}
process.stdout.write(JSON.stringify(await Promise.all(asked)));

export {};
