// What the driver and the example use of Node.js, whose own types are a package.
declare module 'node:fs' {
  export function readFileSync(path: string): Uint8Array;
  export function readFileSync(path: string, encoding: 'utf8'): string;
}
declare module 'node:util' {
  export function inspect(value: unknown, options?: {showHidden?: boolean}): string;
}
declare module 'node:crypto' {
  export function randomUUID(): string;
}
