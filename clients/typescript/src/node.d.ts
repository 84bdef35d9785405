// What is used of Node.js, so that the client is built without its types.
declare module 'node:crypto' {
  interface Hmac {
    update(data: string | Uint8Array): Hmac;
    digest(): Uint8Array;
  }
  export function createHmac(algorithm: string, key: Uint8Array): Hmac;
  export function randomUUID(): string;
  export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean;
}
