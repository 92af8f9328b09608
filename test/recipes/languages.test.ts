/** The recipes of docs/recipes for other languages, run with Debian's python3-pytest and golang-go and the machine's JDK. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runProgram } from '../fleet/processes.ts'

const recipes = resolve(import.meta.dirname, '../../docs/recipes')
const folder = mkdtempSync(join(tmpdir(), 'api-mock-recipes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const copy = (file: string): void => copyFileSync(join(recipes, file), join(folder, file))

/** Runs a command below `api-mock run` with three requests per minute for each key and session. */
const runLimited = (command: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  runProgram(['run', '--scenario', 'rate-limited', '--', ...command], env)

test('every recipe says what runs it, or why it was not run', () => {
  const saysNothing = (file: string): boolean => {
    const [comment] = /^(?:(?:#|\/\/).*\n)+/.exec(readFileSync(join(recipes, file), 'utf8')) ?? ['']
    return !/Run by test\/recipes\/\w+\.test\.ts|Not run here, because/.test(comment)
  }
  expect(readdirSync(recipes).filter(saysNothing)).toEqual([])
})

const PYTEST = `
import json, os, urllib.error, urllib.request
import pytest

def embed(base_url):
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "Content-Type": "application/json"}
    body = json.dumps({"model": "hash-1", "input": "hello"}).encode()
    try:
        return urllib.request.urlopen(urllib.request.Request(base_url + "/embeddings", body, headers)).status
    except urllib.error.HTTPError as error:
        return error.code

@pytest.mark.parametrize("name", ["one", "two", "a name/with signs"])
def test_three_calls_per_minute(openai_base_url, name):
    assert os.environ["OPENAI_BASE_URL"] == openai_base_url
    assert [embed(openai_base_url) for _ in range(4)] == [200, 200, 200, 429]
`

test("pytest: each test has limits of its own (Debian's python3-pytest)", async () => {
  expect(readFileSync(join(recipes, 'conftest.py'), 'utf8').trim().split('\n').length).toBeLessThanOrEqual(15)
  copy('conftest.py')
  writeFileSync(join(folder, 'test_limits.py'), PYTEST)
  const { code, stdout, stderr } = await runLimited([
    '/usr/bin/python3',
    '-m',
    'pytest',
    '-q',
    '-p',
    'no:cacheprovider',
    folder,
  ])
  expect({ code, stdout }, stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('3 passed') })
  expect(stderr).toContain('12 calls (9 x 200, 3 x 429)')
})

test("Go: the test passes against a session of its own (Debian's golang-go)", async () => {
  copy('mock_test.go')
  writeFileSync(join(folder, 'go.mod'), 'module mock\n\ngo 1.19\n')
  const env = { GOCACHE: join(folder, 'go-cache'), GOPROXY: 'off', GOFLAGS: '-count=1', CGO_ENABLED: '0' }
  const { code, stdout, stderr } = await runLimited(['sh', '-c', `cd ${folder} && go test ./...`], env)
  expect({ code, stdout }, stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ok\s+mock/) })
})

test("Java: the program succeeds against a session of its own (the machine's JDK)", async () => {
  const { code, stderr } = await runLimited(['java', join(recipes, 'MockRecipe.java')])
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('4 calls (3 x 200, 1 x 429)') })
})
