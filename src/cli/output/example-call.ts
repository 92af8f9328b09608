/** A curl command for a call that works in the given scenario. */
import type { Scenario } from '../../core/scenario/compile/compile.ts'
import { quoted } from './text.ts'

/** The first chat model, or else the first model; `echo-1` if any name is accepted. */
export function modelFor({ modelNames, model }: Scenario): { readonly name: string; readonly chats: boolean } {
  const names = (modelNames ?? ['echo-1']).map((name) => name.replaceAll('*', 'local'))
  const chatting = names.find((name) => model(name)?.endpoint !== 'embeddings')
  return { name: chatting ?? names[0] ?? 'echo-1', chats: chatting !== undefined || names.length === 0 }
}

/** To paste into bash, zsh or sh. */
export function exampleCall(url: string, scenario: Scenario): string {
  const { name, chats } = modelFor(scenario)
  const path = chats ? 'chat/completions' : 'embeddings'
  const body = chats ? { model: name, messages: [{ role: 'user', content: 'Hello' }] } : { model: name, input: 'Hello' }
  return [
    `curl ${url}/${path}`,
    `-H ${quoted(`Authorization: Bearer ${scenario.exampleKey}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}
