/** Two Python scripts, each with one bug and a fixed twin: `api-mock hunt` needs no set-up to tell them apart. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { command, temporaryFolder } from '../../cli/command.ts'

vi.setConfig({ testTimeout: 120_000 })

const hasPython = spawnSync('python3', ['--version']).status === 0

const HEAD = `import json, os, signal, sys, urllib.request

ANSWER = 'one two three'

def ask(**more):
    body = {'model': 'gpt-4o', 'messages': [{'role': 'user', 'content': ANSWER}], **more}
    headers = {'Authorization': 'Bearer ' + os.environ['OPENAI_API_KEY'], 'Content-Type': 'application/json'}
    url = os.environ['OPENAI_BASE_URL'] + '/chat/completions'
    return urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers), timeout=2)

is_fixed = sys.argv[1] == 'fixed'

def give_up(*_):
    raise OSError('no answer in two seconds')

signal.signal(signal.SIGALRM, give_up)
signal.alarm(2)
`

const SCRIPTS = [
  {
    bug: 'half an answer is stored',
    classes: ['unfinished'],
    script: `${HEAD}
def answer():
    try:
        choice = json.load(ask())['choices'][0]
        if is_fixed and choice['finish_reason'] != 'stop':
            return None
        return choice['message']['content']
    except Exception:
        return None

stored = answer()
if stored and stored != ANSWER and ANSWER.startswith(stored):
    raise ValueError('Half an answer is stored')
`,
  },
  {
    bug: 'a stream that breaks off is shown as whole',
    classes: ['cut', 'early-end'],
    script: `${HEAD}
def answer():
    text, done = '', False
    try:
        for line in ask(stream=True):
            data = line.decode().removeprefix('data: ').strip()
            if data == '[DONE]':
                done = True
            elif data:
                choices = json.loads(data).get('choices') or [{}]
                text += choices[0].get('delta', {}).get('content') or ''
                if choices[0].get('finish_reason') not in (None, 'stop'):
                    return None
    except (OSError, ValueError):
        if is_fixed:
            return None
    except Exception:
        return None
    return text if done or not is_fixed else None

shown = answer()
if shown and shown != ANSWER and ANSWER.startswith(shown):
    raise ValueError('Half an answer is shown')
`,
  },
]

const huntIn = (script: string, variant: string) => {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'app.py'), script)
  return command(['hunt', '--', 'python3', 'app.py', variant], { cwd })
}

const title = hasPython ? 'in Python, $bug' : 'in Python, $bug (skipped: there is no python3)'
test.skipIf(!hasPython).each(SCRIPTS)(`${title}: it is found, as one block, and its twin survives`, async (app) => {
  const [buggy, fixed] = await Promise.all([huntIn(app.script, 'buggy'), huntIn(app.script, 'fixed')])
  expect(buggy.stdout.match(/^FAILS/gm), buggy.stdout).toHaveLength(1)
  for (const name of app.classes) expect(buggy.stdout).toMatch(new RegExp(`^${name} +FAILED`, 'm'))
  expect(buggy.code).toBe(1)
  expect([fixed.code, fixed.stdout]).toEqual([0, expect.not.stringContaining('FAILS')])
})
