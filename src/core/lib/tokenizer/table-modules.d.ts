/** The modules with the tokens of an encoding in base64, which scripts/token-tables.ts writes to the folder `tables`. */
declare module '*_base.js' {
  const tokens: string
  export default tokens
}
