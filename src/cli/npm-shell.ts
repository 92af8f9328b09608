/**
 * Stops the program when npm is killed.
 *
 * npx and `npm run` start a program in a shell. On SIGTERM npm ends that shell, which does not pass the signal on: the
 * program would go on and hold its port. Its parent changes then, so it sends itself the signal.
 */

const CHECK_MS = 250
/** A script that is only this program. In one with `&` or `;` the shell may end before the program, on purpose. */
const OWN_SCRIPT = /^[^&;|\n]*\bapi-mock\b[^&;|\n]*$/

/** Sends SIGTERM to this process when the shell ends in which npm started it. */
export function stopWithNpm(script = process.env.npm_lifecycle_script): void {
  if (script === undefined || !OWN_SCRIPT.test(script)) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, CHECK_MS)
  timer.unref()
}
