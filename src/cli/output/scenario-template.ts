/**
 * The scenario that `init` writes. A line that begins with `#` and no space is an example that is switched off: without
 * its `#` it must be valid too, and a test says so.
 */

/** @param schema where the schema is, seen from the file. @param file the file's name, as a shell takes it. */
export const scenarioTemplate = (schema: string, file: string): string =>
  `# yaml-language-server: $schema=${schema}

# A world for llm-api-mock. Only the description must be there.
# Lines like '#seed: 7', without a space, are examples that are switched off.
#
# Run it:   npx api-mock --scenario ${file} --watch
# Check it: npx api-mock check ${file}

# One sentence; it is shown at the start.
description: Greets, knows the weather everywhere, and stumbles once when it is told to.

# Another seed draws other ids, vectors and chances. The same seed gives the same bytes, every time.
seed: 1

# Refuse unknown parameters with a 400, as the real service does; lenient accepts and notes them.
#validation: strict

# The keys that are accepted; * stands for any characters. Without this, any key is.
#keys:
#  sk-test: {}
#  "sk-ci-*": {}
#  sk-tight: { limits: { requests: 3 per minute } }
#  sk-revoked: { fault: invalid-key }

# The models that are known. Without this, any name is.
#models:
#  echo-1: { endpoint: chat, contextTokens: 8192, maxOutputTokens: 4096 }
#  large-1: { endpoint: chat, limits: { requests: 10 per minute } } # in place of the limits below, for each key
#  hash-1: { endpoint: embeddings, dimensions: 768 }

# The first rule that matches speaks. When none does, the last user message is echoed.
replies:
  # Calls of tools; a rule calls only what the request offers. Without arguments they are drawn from the tool's JSON Schema.
#  - when: { user: '/weather in (?<city>\\w+)/i', tool: get_weather }
#    call: { name: get_weather, arguments: { city: "{{city}}" } }
#  - when: { toolResult: degrees }
#    say: "The tool says: {{toolResult}}"
  - when: { user: hello }
    say: [Hi there!, Hello again!] # one after the other; the last one stays
  - when: { user: '/weather in (?<city>\\w+)/i' }
    say: It is sunny in {{city}}.
  - when: { user: stumble, attempt: 1 } # the first try fails, the retry is answered
    fault: server-error
#  - when: { user: password }
#    refuse: I can't help with that.
#  - when: { user: as json }
#    say: { booking: "{{user}}", confirmed: true } # an object is said as JSON

# What a key may use; over it, the answer is 429. Windows refill evenly.
#limits: { requests: [3 per second, 60 per minute], tokens: 90000 per minute, concurrent: 5 }

# How long answers take.
#pace: { firstToken: 300ms, perToken: 20ms }

# Faults that strike by themselves; the first that does is the only one. Their names: npx api-mock list --faults
#faults:
#  - { fault: server-error, attempt: 1, when: { endpoint: embeddings } } # every first try, and no retry
#  - { fault: rate-limit, retryAfter: 2s, times: 1 } # each key once
#  - { fault: cut, after: 3, every: 10 } # each tenth call of a key
#  - { fault: overloaded, between: 1m and 2m, chance: 80% } # a bad minute
#  - { fault: server-error, bursts: { good: 30s, bad: 5s } } # now and then for a while
#  - { fault: truncated-json, chance: 5% } # a well-formed answer with a mistake in it

# States that follow one another by calls or time, for all keys at once; the first is the start.
#states:
#  healthy: { lasts: 20 calls, next: slow }
#  slow: { pace: { firstToken: 2s }, lasts: 30s, next: down }
#  down: { faults: [{ fault: overloaded }], lasts: 10s, next: healthy }
`
