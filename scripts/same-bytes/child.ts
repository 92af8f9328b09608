/** Plays a file of calls and writes a file of answers: the part of same-bytes that runs on another Node. */
import { readFileSync, writeFileSync } from 'node:fs'
import { play } from './play.ts'

const [callsFile, way, answersFile] = process.argv.slice(2)
if (callsFile === undefined || way === undefined || answersFile === undefined) {
  throw new Error('Usage: child.ts <file of calls> <way as JSON> <file for the answers>')
}
const answers = await play(JSON.parse(readFileSync(callsFile, 'utf8')), JSON.parse(way))
writeFileSync(answersFile, JSON.stringify(answers.map((answer) => answer ?? null)))
