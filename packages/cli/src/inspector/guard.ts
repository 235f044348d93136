import { timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

const COOKIE = 'inspector';
const HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['Content-Security-Policy', "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
];

/**
 * Lets in only who has the link that the terminal printed. The token in it is swapped at the first hit for a cookie that
 * scripts cannot read. Requests under another host name, or sent by another page, are refused.
 */
export function guard(token: string): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of HEADERS) context.header(name, value);
    const url = new URL(context.req.url);
    const host = context.req.header('host') ?? '';
    if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) return context.text('This page answers on loopback only.', 403);
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) return context.text('Another page may not ask here.', 403);
    const offered = url.searchParams.get('token');
    if (offered !== null && url.pathname === '/') {
      if (!same(offered, token)) return context.text('This link is not valid. Use the one in the terminal.', 403);
      setCookie(context, COOKIE, token, { httpOnly: true, sameSite: 'Strict', path: '/' });
      return context.redirect('/');
    }
    if (!same(getCookie(context, COOKIE) ?? '', token)) return context.text('Open the link that the terminal printed.', 403);
    await next();
    return undefined;
  };
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
