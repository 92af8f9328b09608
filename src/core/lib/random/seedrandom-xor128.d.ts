/** The one generator of seedrandom that is used; its published types cover the main entry only, which needs node:crypto. */
declare module 'seedrandom/lib/xor128.js' {
  export default function xor128(seed: string): () => number
}
