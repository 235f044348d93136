import type { IChatModel } from '@x/core';

/** Says of a model that it borrows its messages, but not of a copy of it: one with a `stream` of its own may keep them. */
export function borrowing(model: IChatModel): IChatModel {
  return Object.defineProperty(model, 'borrows', { value: true });
}
