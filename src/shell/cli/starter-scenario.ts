/**
 * The scenario that `init` writes. A line that begins with `#` and no space is an example that is switched off: without
 * its `#` it must be valid too, and a test says so.
 */

/** @param schema where the schema is, seen from the file. @param file the file's name, as a shell takes it. */
export const starterScenario = (schema: string, file: string): string =>
  `# yaml-language-server: $schema=${schema}

# A world for llm-api-mock. Only the description must be there.
# Lines like '#seed: 7', without a space, are examples that are switched off.
#
# Run it:   npx api-mock --scenario ${file}
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
#  echo-1: { endpoint: chat, contextTokens: 8192 }
#  hash-1: { endpoint: embeddings, dimensions: 768 }

# The first rule that matches speaks. When none does, the last user message is echoed.
replies:
  - when: { user: hello }
    say: [Hi there!, Hello again!] # one after the other; the last one stays
  - when: { user: '/weather in (?<city>\\w+)/i' }
    say: It is sunny in {{city}}.
  - when: { user: stumble, attempt: 1 } # the first try fails, the retry is answered
    fault: server-error

# What a key may use; over it, the answer is 429. A key or a model may have limits of its own.
#limits: { requests: [3 per second, 60 per minute], tokens: 90000 per minute, concurrent: 5 }

# How long answers take.
#pace: { firstToken: 300ms, perToken: 20ms }

# Faults that strike by themselves. Their names: npx api-mock list --faults
#faults:
#  - { fault: overloaded, chance: 5% }
#  - { fault: rate-limit, retryAfter: 2s, when: { endpoint: embeddings }, first: 1 }
`
