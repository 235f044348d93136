/** Time to build a prompt, beside the published engine on the same inputs. `npm run bench -w @x/prompt-engine` prints the whole table. */
import { measureSpeed, quantile } from '../bench/measure-speed.mjs';

const micros = (value) => `${value.toFixed(1)} µs`;
const command = 'npm run bench -w @x/prompt-engine';

export default async function ({ short, log }) {
  const rows = await measureSpeed({ short, log });
  if (rows[0].peer === undefined) return { skip: 'bench/peers is not installed; run npm ci --prefix bench/peers' };
  const medianOf = ({ micros: values }) => quantile(values, 0.5);
  const net = ({ own }) => medianOf(own) - quantile(own.copyMicros, 0.5);
  const [small, many, large] = rows;
  const growth = net(large) / net(small);
  const p99 = quantile(many.own.micros, 0.99);
  return [
    ...rows.map(({ name, own, peer }) => {
      const times = medianOf(peer) / medianOf(own);
      return {
        claim: `A prompt of ${name} is built at least ten times faster than by @framers/agentos 0.9.164`,
        figure: `${micros(medianOf(own))} against ${micros(medianOf(peer))} at the median: ${times.toFixed(1)} times`,
        limit: 'at least 10 times',
        pass: times >= 10,
        command,
      };
    }),
    {
      claim: 'With 200 elements the slowest of a hundred prompts is still quick',
      figure: `p99 ${micros(p99)}`,
      limit: 'at most 500 µs',
      pass: p99 <= 500,
      command,
    },
    {
      claim: 'A history of 5,000 messages costs little more than one of 50, the copy of the list aside',
      figure: `${micros(net(large))} against ${micros(net(small))} at the median, copies of ${micros(quantile(large.own.copyMicros, 0.5))} and ${micros(quantile(small.own.copyMicros, 0.5))} not counted: ${growth.toFixed(2)} times`,
      limit: 'at most 1.5 times',
      pass: growth <= 1.5,
      command,
    },
  ];
}
