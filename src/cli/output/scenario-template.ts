/**
 * The scenario that `init` writes. A line that begins with `#` and no space is a commented example: without its `#` it
 * must be valid too, which a test checks.
 */

/** @param schema where the schema is, seen from the file. @param file the file's name, as a shell takes it. */
export const scenarioTemplate = (schema: string, file: string): string =>
  `# yaml-language-server: $schema=${schema}

# A scenario for llm-api-mock. Every field is optional.
# Lines like '#seed: 7', without a space after the #, are examples. Remove the # to use one.
#
# Run it:   npx api-mock --scenario ${file} --watch
# Check it: npx api-mock check ${file}

# One sentence, shown when the mock starts.
description: Greets, reports the weather, and fails once on request.

# The seed of ids, vectors and chances. The same seed always gives the same bytes.
seed: 1

# strict refuses unknown parameters with a 400, as the real service does; lenient accepts them and adds a note.
#validation: strict

# The accepted keys; * matches any characters. Default: any key.
#keys:
#  sk-test: {}
#  "sk-ci-*": {}
#  sk-tight: { limits: { requests: 3 per minute } }
#  sk-revoked: { fault: invalid-key }

# The known models. Default: any name.
#models:
#  echo-1: { endpoint: chat, contextTokens: 8192, maxOutputTokens: 4096 }
#  large-1: { endpoint: chat, limits: { requests: 10 per minute } } # replaces the limits below, for each key
#  hash-1: { endpoint: embeddings, dimensions: 768 }

# The first rule that matches gives the reply. If none matches, the last user message is echoed.
replies:
  # Tool calls. A rule calls only tools that the request offers. Default arguments: generated from the tool's JSON Schema.
#  - when: { user: '/weather in (?<city>\\w+)/i', tool: get_weather }
#    call: { name: get_weather, arguments: { city: "{{city}}" } }
#  - when: { toolResult: degrees }
#    say: "The tool says: {{toolResult}}"
  - when: { user: hello }
    say: [Hi there!, Hello again!] # one after the other; the last one repeats
  - when: { user: '/weather in (?<city>\\w+)/i' }
    say: It is sunny in {{city}}.
  - when: { user: fail once, attempt: 1 } # the first attempt fails, the retry succeeds
    fault: server-error
#  - when: { user: password }
#    refuse: I can't help with that.
#  - when: { user: as json }
#    say: { booking: "{{user}}", confirmed: true } # an object is sent as JSON

# Limits for each key. A call over a limit gets a 429. Limits refill evenly.
#limits: { requests: [3 per second, 60 per minute], tokens: 90000 per minute, concurrent: 5 }

# The speed of answers.
#pace: { firstToken: 300ms, perToken: 20ms }

# Scheduled faults. At most one applies to a call: the first that matches. Names: npx api-mock list --faults
#faults:
#  - { fault: server-error, attempt: 1, when: { endpoint: embeddings } } # first attempts, not retries
#  - { fault: rate-limit, retryAfter: 2s, times: 1 } # once for each key
#  - { fault: cut, after: 3, every: 10 } # every tenth call of a key
#  - { fault: overloaded, between: 1m and 2m, chance: 80% } # an outage of one minute
#  - { fault: server-error, bursts: { good: 30s, bad: 5s } } # outages of about 5 seconds
#  - { fault: truncated-json, chance: 5% } # JSON that ends too early

# States change by calls or time, for all keys together. The first is the initial state.
#states:
#  healthy: { lasts: 20 calls, next: slow }
#  slow: { pace: { firstToken: 2s }, lasts: 30s, next: down }
#  down: { faults: [{ fault: overloaded }], lasts: 10s, next: healthy }
`
