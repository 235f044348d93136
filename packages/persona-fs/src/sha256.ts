/**
 * The SHA-256 of a text in UTF-8, in hexadecimal digits. The module that makes it is loaded when it is first needed:
 * most of what it brings along nobody uses here, and it would be a good part of this package's import.
 */
export function sha256(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex');
}
