/** The calls of the contract, sent to a server that runs somewhere else, against the answers of a mock in this process. */
import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import { CONTRACT_SCENARIO, CONTRACT_SEED, wholeCalls } from '../transports/calls.ts'
import { type Answer, send } from './send.ts'
import { overHttp, stillMock } from './transports.ts'

/** The contract's scenario with its seed, as a file or a control plane takes it. */
export const contractScenario = (): string =>
  JSON.stringify({ ...prepareSource(CONTRACT_SCENARIO), seed: CONTRACT_SEED })

/** The answers of a fresh mock in this process to all calls of the contract, one after the other. */
export async function expectedAnswers(): Promise<Answer[]> {
  await using opened = await overHttp.open(stillMock(CONTRACT_SCENARIO, CONTRACT_SEED))
  return await answersOf(opened.baseUrl)
}

/** The answers of a server in the contract's scenario to the same calls. */
export async function answersOf(baseUrl: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const call of wholeCalls) {
    const answer = await send(baseUrl, call)
    // The scenario has another name there.
    answers.push({ ...answer, headers: answer.headers.filter(([name]) => name !== 'x-mock-scenario') })
  }
  return answers
}

/** The names of the calls whose answers differ. */
export const differingCalls = (found: readonly Answer[], expected: readonly Answer[]): string[] =>
  wholeCalls
    .filter((_, index) => JSON.stringify(found[index]) !== JSON.stringify(expected[index]))
    .map(({ name }) => name)
