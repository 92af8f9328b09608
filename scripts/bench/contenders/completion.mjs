/** An answer as a server or handler by hand would give it: the mock's shape, and next to nothing worked out. */

export const head = (object, model) => ({
  id: 'chatcmpl-AAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  object,
  created: 1735689600,
  model,
  service_tier: 'default',
  system_fingerprint: 'fp_0000000000',
})

export const completion = ({ model, messages }) => ({
  ...head('chat.completion', model),
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: messages.at(-1).content, refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: {
    prompt_tokens: 10,
    completion_tokens: 3,
    total_tokens: 13,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  },
})
