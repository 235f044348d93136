import { tmpdir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { execPath } from 'node:process';

/** Names of variables that may hold a secret or the way to a database. */
const SECRET =
  /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE|DATABASE|(^|_)(DB|DSN|PG|MYSQL|REDIS|MONGO)|(_|^)(URL|URI|CONN)/i;

/** The environment of commands: little, and nothing of this process. Secrets among the host's additions are left out. */
export function strippedEnv(root: string, own: { readonly [name: string]: string } = {}): Record<string, string> {
  const path = ['/usr/local/bin', '/usr/bin', '/bin', dirname(execPath)].join(delimiter);
  const kept = Object.entries(own).filter(([name]) => !SECRET.test(name));
  return { PATH: path, HOME: root, LANG: 'C.UTF-8', TMPDIR: tmpdir(), ...Object.fromEntries(kept) };
}
