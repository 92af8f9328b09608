/** A file that is watched: what is read, and when, whatever is done to the file and its folder. */
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchFile } from '../../src/engine/files/watch-file.ts'

vi.setConfig({ testTimeout: 30_000 })

let folder = ''
let file = ''
let watch: { close(): void } | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watch-'))
  file = join(folder, 'scenario.yaml')
})
afterEach(async () => {
  watch?.close()
  watch = undefined
  await rm(folder, { recursive: true, force: true })
})

const GONE = '(not there)'

/** What the watch took, in turn; `next` waits for the next one. */
class Taken {
  readonly all: string[] = []
  #wake = (): void => {}
  #seen = 0

  constructor(path = file) {
    watch = watchFile(path, async (isThere) => {
      const text = isThere ? await readFile(path, 'utf8').catch(() => GONE) : GONE
      return () => {
        this.all.push(text)
        this.#wake()
      }
    })
  }

  async next(): Promise<string> {
    while (this.all.length <= this.#seen) {
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
    return this.all[this.#seen++]!
  }

  /** Waits for one of this text; those before it may be fewer than there were writes. */
  async until(text: string): Promise<void> {
    while ((await this.next()) !== text);
  }
}

test('the file is read at the start and after each change', async () => {
  writeFileSync(file, 'one')
  const taken = new Taken()
  expect(await taken.next()).toBe('one')
  writeFileSync(file, 'two')
  expect(await taken.next()).toBe('two')
  writeFileSync(file, 'six')
  expect(await taken.next()).toBe('six')
})

test('a file that replaces it is read, and so is the next one', async () => {
  writeFileSync(file, 'one')
  const taken = new Taken()
  await taken.until('one')
  for (const text of ['two', 'three']) {
    writeFileSync(`${file}.swp`, text)
    renameSync(`${file}.swp`, file)
    expect(await taken.next()).toBe(text)
  }
})

test('a deleted file is reported once, and read when it is written again', async () => {
  writeFileSync(file, 'one')
  const taken = new Taken()
  await taken.until('one')
  unlinkSync(file)
  expect(await taken.next()).toBe(GONE)
  writeFileSync(join(folder, 'another.yaml'), 'something else')
  writeFileSync(file, 'two')
  expect(await taken.next()).toBe('two')
})

test('a folder that is deleted and created again is found again', async () => {
  const inner = join(folder, 'inner')
  mkdirSync(inner)
  const inside = join(inner, 'scenario.yaml')
  writeFileSync(inside, 'one')
  const taken = new Taken(inside)
  await taken.until('one')
  rmSync(inner, { recursive: true })
  await taken.until(GONE)
  mkdirSync(inner)
  writeFileSync(inside, 'two')
  await taken.until('two')
  writeFileSync(inside, 'three')
  await taken.until('three')
})

test('the folder may be created later', async () => {
  const taken = new Taken(join(folder, 'later/scenario.yaml'))
  expect(await taken.next()).toBe(GONE)
  mkdirSync(join(folder, 'later'))
  writeFileSync(join(folder, 'later/scenario.yaml'), 'one')
  await taken.until('one')
})

test('both a link and its target are watched', async () => {
  for (const version of ['v1', 'v2']) {
    mkdirSync(join(folder, version))
    writeFileSync(join(folder, version, 'scenario.yaml'), version)
  }
  symlinkSync('v1/scenario.yaml', file)
  const taken = new Taken()
  await taken.until('v1')
  writeFileSync(join(folder, 'v1/scenario.yaml'), 'v1, changed')
  await taken.until('v1, changed')
  symlinkSync('v2/scenario.yaml', `${file}.new`)
  renameSync(`${file}.new`, file)
  await taken.until('v2')
  writeFileSync(join(folder, 'v2/scenario.yaml'), 'v2, changed')
  await taken.until('v2, changed')
})

test('swapping a whole folder of links, as clusters do, is noticed', async () => {
  for (const version of ['v1', 'v2']) {
    mkdirSync(join(folder, version))
    writeFileSync(join(folder, version, 'scenario.yaml'), version)
  }
  symlinkSync('v1', join(folder, '..data'))
  symlinkSync('..data/scenario.yaml', file)
  const taken = new Taken()
  await taken.until('v1')
  symlinkSync('v2', join(folder, '..data.new'))
  renameSync(join(folder, '..data.new'), join(folder, '..data'))
  await taken.until('v2')
})

test('a file that changes while it is read is read again, never half', async () => {
  writeFileSync(file, 'one')
  const all: string[] = []
  await new Promise<void>((done) => {
    watch = watchFile(file, async () => {
      const text = await readFile(file, 'utf8')
      if (text === 'one') writeFileSync(file, 'half')
      if (text === 'half') writeFileSync(file, 'half and half')
      return () => {
        all.push(text)
        done()
      }
    })
  })
  expect(all).toEqual(['half and half'])
})

test('changes of other files in the folder cause no delay', async () => {
  writeFileSync(file, 'one')
  const taken = new Taken()
  await taken.until('one')
  const noise = setInterval(() => writeFileSync(join(folder, 'noise.log'), String(Math.random())), 5)
  writeFileSync(file, 'two')
  await taken.until('two')
  clearInterval(noise)
  expect(taken.all).toEqual(['one', 'two'])
})

test('after close it reads nothing and keeps no handle open', async () => {
  writeFileSync(file, 'one')
  const taken = new Taken()
  await taken.until('one')
  watch!.close()
  writeFileSync(file, 'two')
  const other = watchFile(file, async () => () => {})
  other.close()
  // A second watch sees the change; by then the closed one would have.
  watch = undefined
  const again = new Taken()
  await again.until('two')
  expect(taken.all).toEqual(['one'])
})
