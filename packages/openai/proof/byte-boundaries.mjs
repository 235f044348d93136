import { readdirSync, readFileSync } from 'node:fs';
import { openai } from '@x/openai';
import { anthropic } from '@x/openai/anthropic';

const folder = new URL('../fixtures/', import.meta.url);
const tool = (name, field) => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: field ? { [field]: { type: 'string' } } : {}, ...(field && { required: [field] }) },
});
const request = {
  messages: [
    { role: 'system', content: 'You help. '.repeat(200) },
    { role: 'user', content: 'What is the weather in Zürich?' },
  ],
  tools: [tool('get_weather', 'city'), tool('get_time', 'zone'), tool('list_cities')],
};

/** A model whose answers are the pieces that `deal` gives next. */
function modelFor(file, deal) {
  const fetch = async () => {
    const pieces = deal();
    return new Response(
      new ReadableStream(
        { pull: (controller) => (pieces.length > 0 ? controller.enqueue(pieces.shift()) : controller.close()) },
        { highWaterMark: 0 },
      ),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  };
  const options = { model: 'm', apiKey: 'k', retries: 0, random: () => 0.5, fetch };
  const provider = file.replace(/[-.](?:text|think-tags|error)?\.?sse$/, '').replace(/\.sse$/, '');
  return provider.startsWith('anthropic') ? anthropic(options) : openai({ ...options, provider });
}

async function read(model) {
  const events = [];
  try {
    for await (const event of model.stream(request, { signal: new AbortController().signal })) events.push(event);
  } catch (error) {
    events.push({ thrown: error.code });
  }
  return JSON.stringify(events);
}

/** Every wire sample, cut in two at each of its bytes and read through the whole client, against the sample in one piece. */
export default async function ({ short, log }) {
  let cuts = 0;
  let different = 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.sse'));
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(new URL(file, folder)));
    let pieces = [bytes];
    const model = modelFor(file, () => [...pieces]);
    const whole = await read(model);
    const step = short ? 37 : 1;
    for (let at = 1; at < bytes.length; at += step) {
      pieces = [bytes.subarray(0, at), bytes.subarray(at)];
      cuts += 1;
      if ((await read(model)) !== whole) different += 1;
    }
    pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    cuts += 1;
    if ((await read(model)) !== whole) different += 1;
    log(`${file}: ${bytes.length} bytes, ${JSON.parse(whole).length} events`);
  }
  return [
    {
      claim: 'A sample stream cut at every byte boundary gives identical events',
      figure: `${different} of ${cuts} cuts in ${files.length} samples differ`,
      limit: 'none differs',
      pass: different === 0 && cuts > (short ? 300 : 15_000),
    },
  ];
}
