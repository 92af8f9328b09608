/** The looks of the editor, in the colours of the page. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const styles = {
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--paper)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--code)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--chosen)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--raised) 60%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--ground)', color: 'var(--faint)', borderRight: '1px solid var(--line)' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--edge)',
    borderRadius: '6px',
    boxShadow: '0 4px 18px rgb(0 0 0 / 22%)',
    fontFamily: 'system-ui, sans-serif',
  },
  '.explanation, .cm-completionInfo': { maxWidth: '26rem', padding: '6px 10px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--code)', maxHeight: '16rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  // CodeMirror draws these as images, which the content security policy of the page refuses.
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecoration: 'underline wavy var(--bad)', backgroundImage: 'none' },
  '.cm-lintRange-warning': { textDecoration: 'underline wavy var(--warn)', backgroundImage: 'none' },
  '.cm-lint-marker': { content: 'none', width: '0.7em', height: '0.7em', margin: '0.4em 0', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'none', backgroundColor: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: 'none', backgroundColor: 'var(--warn)', borderRadius: '2px' },
}

const highlighting = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--faint)', fontStyle: 'italic' },
  { tag: [tags.labelName, tags.typeName, tags.keyword, tags.bool, tags.number], color: 'var(--warn)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket], color: 'var(--faint)' },
])

/** The theme, light or dark as the page is when the editor is made. The colours are variables and follow later changes. */
export function theme(): Extension {
  const dark = globalThis.matchMedia('(prefers-color-scheme: dark)').matches
  return [EditorView.theme(styles, { dark }), syntaxHighlighting(highlighting)]
}
