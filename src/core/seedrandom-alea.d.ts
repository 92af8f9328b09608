/** The one generator of seedrandom that is used; its published types cover the main entry only, which needs node:crypto. */
declare module 'seedrandom/lib/alea.js' {
  export default function alea(seed: string): () => number
}
