/** The built-in scenarios as plain data. Made from scenarios/*.yaml by `npm run generate`; do not edit. */
import type { ScenarioSource } from './grammar/schema.ts'

/** The names of the built-in scenarios. */
export type BuiltInName = 'default' | 'agent' | 'bursty' | 'canned' | 'careless' | 'flaky' | 'incident' | 'invalid-request' | 'openai' | 'outage' | 'rate-limited' | 'slow' | 'unauthorized'

/** The built-in scenarios by name. They were checked when this file was made: no schema is needed to run them. */
export const builtInScenarios: Readonly<Record<BuiltInName, ScenarioSource>> = {
  "default": {
    "description": "Any key and any model; the last user message is said back.",
    "validation": "lenient"
  },
  "agent": {
    "description": "Scripted calls of tools, alone, at once and in steps; a refusal, and a reply that a filter breaks off.",
    "replies": [
      {
        "when": {
          "tool": "choose_clothes",
          "toolResult": "/(?<degrees>-?\\d+) degrees/"
        },
        "call": {
          "name": "choose_clothes",
          "arguments": {
            "temperature": "{{degrees}}"
          }
        }
      },
      {
        "when": {
          "user": "/weather in (?<first>\\p{Lu}\\w+) and (?<second>\\p{Lu}\\w+)/"
        },
        "call": [
          {
            "name": "get_weather",
            "arguments": {
              "city": "{{first}}"
            }
          },
          {
            "name": "get_weather",
            "arguments": {
              "city": "{{second}}"
            }
          }
        ]
      },
      {
        "when": {
          "user": "/weather in (?<city>\\p{Lu}\\w+)/"
        },
        "call": {
          "name": "get_weather",
          "arguments": {
            "city": "{{city}}"
          }
        }
      },
      {
        "when": {
          "tool": "search",
          "user": "surprise me"
        },
        "call": {
          "name": "search"
        }
      },
      {
        "when": {
          "user": "/^book (?<what>.+)/i"
        },
        "say": {
          "booking": "{{what}}",
          "confirmed": true
        }
      },
      {
        "when": {
          "user": [
            "password",
            "secret"
          ]
        },
        "refuse": "I can't help with that."
      },
      {
        "when": {
          "user": "tell me everything"
        },
        "say": "It all began with",
        "finish": "content_filter"
      }
    ]
  },
  "bursty": {
    "description": "Good and bad spells of time; in a bad one nine of ten calls are a 503.",
    "faults": [
      {
        "fault": "overloaded",
        "chance": "90%",
        "bursts": {
          "good": "30s",
          "bad": "5s"
        }
      }
    ]
  },
  "canned": {
    "description": "Replies chosen by text, pattern, system text, turn, model and tool result.",
    "replies": [
      {
        "when": {
          "toolResult": "/degrees|°/"
        },
        "say": "The tool says: {{toolResult}}"
      },
      {
        "when": {
          "user": "/weather in (?<city>\\p{Lu}\\w+)/"
        },
        "say": "It is sunny in {{city}}."
      },
      {
        "when": {
          "user": "tell me a joke"
        },
        "say": [
          "Why did the test pass? Nobody ran it.",
          "A mock walks into a bar. The bar returns 200.",
          "That was my last one."
        ]
      },
      {
        "when": {
          "system": "pirate"
        },
        "say": "Arr, {{user}}"
      },
      {
        "when": {
          "turn": 1,
          "user": [
            "hello",
            "good morning"
          ]
        },
        "say": "Hi there! What can I do for you?"
      },
      {
        "when": {
          "model": "*-mini"
        },
        "say": "{{model}} keeps it short."
      },
      {
        "when": {
          "attempt": 1,
          "user": "fail once"
        },
        "fault": "overloaded"
      },
      {
        "when": {
          "user": "fail once"
        },
        "say": "This is attempt {{attempt}}."
      }
    ]
  },
  "careless": {
    "description": "Some answers are wrong in meaning - a refusal, broken JSON, a tool nobody offered, vectors out of order.",
    "faults": [
      {
        "fault": "wrong-enum",
        "chance": "20%"
      },
      {
        "fault": "truncated-json",
        "chance": "10%"
      },
      {
        "fault": "undeclared-tool",
        "chance": "5%"
      },
      {
        "fault": "refusal",
        "chance": "5%"
      },
      {
        "fault": "empty-text",
        "chance": "5%"
      },
      {
        "fault": "other-language",
        "chance": "5%"
      },
      {
        "fault": "repeated-chunk",
        "chance": "5%"
      },
      {
        "fault": "wrong-usage",
        "chance": "10%"
      },
      {
        "fault": "wrong-dimension",
        "chance": "20%"
      },
      {
        "fault": "shuffled-embeddings",
        "chance": "20%"
      }
    ]
  },
  "flaky": {
    "description": "Every first try is a 500, every retry works.",
    "faults": [
      {
        "fault": "server-error",
        "when": {
          "attempt": 1
        }
      }
    ]
  },
  "incident": {
    "description": "Healthy, degraded, down, recovering, and healthy again, by calls and time.",
    "states": {
      "healthy": {
        "lasts": "10 calls",
        "next": "degraded"
      },
      "degraded": {
        "faults": [
          {
            "fault": "overloaded",
            "chance": "20%"
          }
        ],
        "pace": {
          "firstToken": "1s",
          "perToken": "50ms"
        },
        "lasts": "5s",
        "next": "down"
      },
      "down": {
        "faults": [
          {
            "fault": "overloaded"
          }
        ],
        "lasts": "10s",
        "next": "recovering"
      },
      "recovering": {
        "faults": [
          {
            "fault": "server-error",
            "chance": "50%"
          }
        ],
        "lasts": "5 calls",
        "next": "healthy"
      }
    }
  },
  "invalid-request": {
    "description": "Every call is a 400.",
    "faults": [
      {
        "fault": "invalid-request"
      }
    ]
  },
  "openai": {
    "description": "The models, limits and strict checks of the real service.",
    "validation": "strict",
    "models": {
      "gpt-5.6-sol": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.6-terra": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.6-luna": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.5": {
        "endpoint": "chat",
        "snapshot": "gpt-5.5-2026-04-23",
        "reasoning": true
      },
      "gpt-5.5-2026-04-23": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.4": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.4-mini": {
        "endpoint": "chat",
        "snapshot": "gpt-5.4-mini-2026-03-17",
        "reasoning": true
      },
      "gpt-5.4-mini-2026-03-17": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.4-nano": {
        "endpoint": "chat",
        "snapshot": "gpt-5.4-nano-2026-03-17",
        "reasoning": true
      },
      "gpt-5.4-nano-2026-03-17": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5.2": {
        "endpoint": "chat",
        "snapshot": "gpt-5.2-2025-12-11",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.2-2025-12-11": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.2-pro": {
        "endpoint": "chat",
        "snapshot": "gpt-5.2-pro-2025-12-11",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.2-pro-2025-12-11": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.1": {
        "endpoint": "chat",
        "snapshot": "gpt-5.1-2025-11-13",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.1-2025-11-13": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.1-codex": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.1-mini": {
        "endpoint": "chat",
        "reasoning": true
      },
      "gpt-5": {
        "endpoint": "chat",
        "snapshot": "gpt-5-2025-08-07",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5-2025-08-07": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5-mini": {
        "endpoint": "chat",
        "snapshot": "gpt-5-mini-2025-08-07",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5-mini-2025-08-07": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5-nano": {
        "endpoint": "chat",
        "snapshot": "gpt-5-nano-2025-08-07",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5-nano-2025-08-07": {
        "endpoint": "chat",
        "contextTokens": 400000,
        "maxOutputTokens": 128000,
        "reasoning": true
      },
      "gpt-5.3-chat-latest": {
        "endpoint": "chat"
      },
      "gpt-5.2-chat-latest": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-5.1-chat-latest": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-5-chat-latest": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "o4-mini": {
        "endpoint": "chat",
        "snapshot": "o4-mini-2025-04-16",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o4-mini-2025-04-16": {
        "endpoint": "chat",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o3": {
        "endpoint": "chat",
        "snapshot": "o3-2025-04-16",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o3-2025-04-16": {
        "endpoint": "chat",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o3-mini": {
        "endpoint": "chat",
        "snapshot": "o3-mini-2025-01-31",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o3-mini-2025-01-31": {
        "endpoint": "chat",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o1": {
        "endpoint": "chat",
        "snapshot": "o1-2024-12-17",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o1-2024-12-17": {
        "endpoint": "chat",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "o1-preview": {
        "endpoint": "chat",
        "snapshot": "o1-preview-2024-09-12",
        "contextTokens": 128000,
        "maxOutputTokens": 32768,
        "reasoning": true
      },
      "o1-preview-2024-09-12": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 32768,
        "reasoning": true
      },
      "o1-mini": {
        "endpoint": "chat",
        "snapshot": "o1-mini-2024-09-12",
        "contextTokens": 128000,
        "maxOutputTokens": 65536,
        "reasoning": true
      },
      "o1-mini-2024-09-12": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 65536,
        "reasoning": true
      },
      "codex-mini-latest": {
        "endpoint": "chat",
        "contextTokens": 200000,
        "maxOutputTokens": 100000,
        "reasoning": true
      },
      "gpt-4.1": {
        "endpoint": "chat",
        "snapshot": "gpt-4.1-2025-04-14",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4.1-2025-04-14": {
        "endpoint": "chat",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4.1-mini": {
        "endpoint": "chat",
        "snapshot": "gpt-4.1-mini-2025-04-14",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4.1-mini-2025-04-14": {
        "endpoint": "chat",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4.1-nano": {
        "endpoint": "chat",
        "snapshot": "gpt-4.1-nano-2025-04-14",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4.1-nano-2025-04-14": {
        "endpoint": "chat",
        "contextTokens": 1047576,
        "maxOutputTokens": 32768
      },
      "gpt-4o": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-2024-08-06",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-2024-11-20": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-2024-08-06": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-2024-05-13": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4o-mini": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-mini-2024-07-18",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-mini-2024-07-18": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "chatgpt-4o-latest": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-audio-preview": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-audio-preview-2025-06-03",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-audio-preview-2025-06-03": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-audio-preview-2024-12-17": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-audio-preview-2024-10-01": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-mini-audio-preview": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-mini-audio-preview-2024-12-17",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-mini-audio-preview-2024-12-17": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-search-preview": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-search-preview-2025-03-11",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-search-preview-2025-03-11": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-mini-search-preview": {
        "endpoint": "chat",
        "snapshot": "gpt-4o-mini-search-preview-2025-03-11",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4o-mini-search-preview-2025-03-11": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 16384
      },
      "gpt-4-turbo": {
        "endpoint": "chat",
        "snapshot": "gpt-4-turbo-2024-04-09",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4-turbo-2024-04-09": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4-turbo-preview": {
        "endpoint": "chat",
        "snapshot": "gpt-4-0125-preview",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4-0125-preview": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4-1106-preview": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4-vision-preview": {
        "endpoint": "chat",
        "contextTokens": 128000,
        "maxOutputTokens": 4096
      },
      "gpt-4": {
        "endpoint": "chat",
        "snapshot": "gpt-4-0613",
        "contextTokens": 8192,
        "maxOutputTokens": 8192
      },
      "gpt-4-0613": {
        "endpoint": "chat",
        "contextTokens": 8192,
        "maxOutputTokens": 8192
      },
      "gpt-4-0314": {
        "endpoint": "chat",
        "contextTokens": 8192
      },
      "gpt-4-32k": {
        "endpoint": "chat",
        "snapshot": "gpt-4-32k-0613",
        "contextTokens": 32768
      },
      "gpt-4-32k-0613": {
        "endpoint": "chat",
        "contextTokens": 32768
      },
      "gpt-4-32k-0314": {
        "endpoint": "chat",
        "contextTokens": 32768
      },
      "gpt-3.5-turbo": {
        "endpoint": "chat",
        "snapshot": "gpt-3.5-turbo-0125",
        "contextTokens": 16385,
        "maxOutputTokens": 4096
      },
      "gpt-3.5-turbo-0125": {
        "endpoint": "chat",
        "contextTokens": 16385,
        "maxOutputTokens": 4096
      },
      "gpt-3.5-turbo-1106": {
        "endpoint": "chat",
        "contextTokens": 16385,
        "maxOutputTokens": 4096
      },
      "gpt-3.5-turbo-0613": {
        "endpoint": "chat",
        "contextTokens": 4096
      },
      "gpt-3.5-turbo-0301": {
        "endpoint": "chat",
        "contextTokens": 4096
      },
      "gpt-3.5-turbo-16k": {
        "endpoint": "chat",
        "snapshot": "gpt-3.5-turbo-16k-0613",
        "contextTokens": 16385
      },
      "gpt-3.5-turbo-16k-0613": {
        "endpoint": "chat",
        "contextTokens": 16385
      },
      "text-embedding-3-small": {
        "endpoint": "embeddings",
        "dimensions": 1536,
        "limits": {
          "requests": "5000 per minute",
          "tokens": "5000000 per minute"
        }
      },
      "text-embedding-3-large": {
        "endpoint": "embeddings",
        "dimensions": 3072,
        "limits": {
          "requests": "5000 per minute",
          "tokens": "5000000 per minute"
        }
      },
      "text-embedding-ada-002": {
        "endpoint": "embeddings",
        "dimensions": 1536,
        "fixedDimensions": true,
        "limits": {
          "requests": "5000 per minute",
          "tokens": "5000000 per minute"
        }
      }
    },
    "limits": {
      "requests": "10000 per minute",
      "tokens": "10000000 per minute"
    }
  },
  "outage": {
    "description": "Every call is a 500.",
    "faults": [
      {
        "fault": "server-error"
      }
    ]
  },
  "rate-limited": {
    "description": "Three requests per minute for each key; the fourth is a 429 with retry-after.",
    "limits": {
      "requests": "3 per minute"
    }
  },
  "slow": {
    "description": "Two seconds until the first token, then twenty tokens a second.",
    "pace": {
      "firstToken": "2s",
      "perToken": "50ms"
    }
  },
  "unauthorized": {
    "description": "One key works, sk-mock-valid; a revoked one and all others are a 401.",
    "keys": {
      "sk-mock-valid": {},
      "sk-mock-revoked": {
        "fault": "invalid-key"
      }
    }
  }
}
