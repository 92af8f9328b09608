/** Copies a text to the clipboard, or shows it for manual copying where the browser forbids that. */
import { byId, say } from './dom.ts'

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    // Pages over plain HTTP beyond loopback have no clipboard, and the user may have denied it.
    const field = byId('copy-text', HTMLTextAreaElement)
    field.value = text
    byId('copy', HTMLDialogElement).showModal()
    field.select()
  }
}
