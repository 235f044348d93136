import { sha256 } from './sha256.js';

/** Where what strangers told is kept, one directory for each. */
export const INBOX_DIR = 'inbox';

/**
 * The directory name of a sender. A short id of small letters and digits stands as it is; any other gets a readable
 * start, `~` and part of its hash, so that ids which differ only by case or by characters that some file system folds
 * stay apart, and no id reaches another directory.
 */
export function senderKey(senderId: string): string {
  if (/^[a-z0-9](?:[a-z0-9_-]{0,46}[a-z0-9])?$/.test(senderId) && !/^(?:con|prn|aux|nul|com\d|lpt\d)$/.test(senderId)) return senderId;
  const readable = senderId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24);
  return `${readable}~${sha256(senderId).slice(0, 16)}`;
}
