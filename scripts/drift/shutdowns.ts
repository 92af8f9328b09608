/** Shutdowns that the types of the official client announce, and those of the table of models. */
import type { ModelSource } from '../../src/core/scenario/scenario-source.ts'

const ANNOUNCED = /^- (.*?): Announced shutdown date: (\d{4}-\d\d-\d\d)/

/** A line for each model whose announced day is not that of the table. @param sentences of the comments in the types */
export function shutdownLines(
  sentences: readonly string[],
  models: Readonly<Record<string, Pick<ModelSource, 'published'>>>,
): string[] {
  const announced = sentences.flatMap((sentence) => {
    const [, names = '', day = ''] = ANNOUNCED.exec(sentence) ?? []
    return [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ name, day }))
  })
  return announced
    .filter(({ name, day }) => Object.hasOwn(models, name) && models[name]!.published?.retires !== day)
    .map(({ name, day }) => `+ ${name}: ${day}, in the table ${models[name]!.published?.retires ?? 'none'}`)
}
