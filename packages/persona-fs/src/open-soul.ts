import type { TurnHook } from '@x/core';
import { MAX_FILE_BYTES, MEMORY_FILES } from './bootstrap.js';
import { type ComposedSoul, type ComposeOptions, composeSoul } from './compose-soul.js';
import { frameNotes } from './frame-notes.js';
import { realDir } from './open-dir.js';
import { readPersonaFile } from './read-persona-file.js';
import { INBOX_DIR, senderKey } from './sender-key.js';
import { strangerOf } from './stranger-of.js';

/** A soul that stays as it is for one session, however often the files change. */
export interface SoulSession {
  readonly current: ComposedSoul;
  /**
   * Reads the files again. Equal hashes change nothing; otherwise the prompt's prefix breaks, and `cause` names that
   * break for the metrics.
   */
  reload(): { readonly soul: ComposedSoul; readonly changed: boolean; readonly cause?: 'reload' | undefined };
}

/** Opens a session: reads the soul once, and again only on `reload()`. */
export function openSoul(dir: string, options: ComposeOptions = {}): SoulSession {
  let current = composeSoul(dir, options);
  return {
    get current() {
      return current;
    },
    reload() {
      const fresh = composeSoul(dir, options);
      const changed = fresh.hash !== current.hash;
      if (changed) current = fresh;
      return changed ? { soul: current, changed, cause: 'reload' } : { soul: current, changed };
    },
  };
}

/**
 * What is noted of one stranger, framed, for that stranger's turns only; `''` when there is nothing. What the owner
 * promoted is not here but in `MEMORY.md`.
 */
export function senderNotes(dir: string, senderId: string, { maxBytes = MAX_FILE_BYTES }: Pick<ComposeOptions, 'maxBytes'> = {}): string {
  const root = realDir(dir);
  if (root === undefined) return '';
  const texts = Object.values(MEMORY_FILES).map(
    (name) => readPersonaFile(root, `${INBOX_DIR}/${senderKey(senderId)}/${name}`, maxBytes, 'tail').text ?? '',
  );
  const notes = texts.filter((text) => text.trim() !== '').join('\n');
  return notes === '' ? '' : frameNotes(notes, 'notes from earlier talks with the person who writes now, who is not your owner');
}

/** See {@link soulHook}. */
export interface SoulHook extends TurnHook {
  reload: SoulSession['reload'];
}

/**
 * Puts the soul into the stable part of every prompt, one for the owner and one for everybody else, both frozen for as
 * long as the hook lives. In a turn of somebody who is no owner it is the soul without `USER.md`, and what is noted of
 * that person follows as the volatile part `sender`.
 *
 * @param options.audience - `shared` leaves `USER.md` out for everybody, so that a room with several people keeps one prefix.
 */
export function soulHook(dir: string, options: ComposeOptions = {}): SoulHook {
  const own = openSoul(dir, options);
  const shared = options.audience === 'shared' ? own : openSoul(dir, { ...options, audience: 'shared' });
  return {
    name: 'soul',
    borrows: true,
    reload() {
      if (shared !== own) shared.reload();
      return own.reload();
    },
    compose(turn) {
      const stranger = strangerOf(turn);
      if (stranger === undefined) return { stable: { soul: own.current.soul } };
      return { stable: { soul: shared.current.soul }, volatile: { sender: senderNotes(dir, stranger.id, options) } };
    },
  };
}
