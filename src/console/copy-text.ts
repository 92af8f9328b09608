/** Puts a text on the clipboard, or shows it to be copied by hand where the browser does not let a page do that. */
import { byId, say } from './dom.ts'

export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    say(done)
  } catch {
    // Pages of a plain address beyond this machine have no clipboard, and a person may have said no.
    const field = byId('copy-text', HTMLTextAreaElement)
    field.value = text
    byId('copy', HTMLDialogElement).showModal()
    field.select()
  }
}
