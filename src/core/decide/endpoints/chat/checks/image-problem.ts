/** Finds images that the service could not read, in a scenario with strict validation. Nothing is downloaded. */

import { isObject, type JsonObject, objectsIn } from '../../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../../protocol/errors/error-catalogue.ts'

/** The first bytes of the formats that the service reads: PNG, JPEG, GIF and WebP. */
const SIGNATURES = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[\s\S]{4}WEBP/]
/** The base64 of the first 12 bytes, which tell the format. */
const SIGNATURE_LENGTH = 16
const DATA_URL = /^data:[^,]{0,200};base64,/
/** Hosts that no service on the internet can reach: this machine, private networks, and reserved names. */
const UNREACHABLE =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])|\.(?:localhost|local|internal|invalid|test)$/

export function imageProblem({ messages }: JsonObject): ApiError | undefined {
  for (const { content } of objectsIn(messages)) {
    for (const { image_url: image } of objectsIn(content)) {
      const problem = isObject(image) && typeof image.url === 'string' ? problemOf(image.url) : undefined
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function problemOf(url: string): ApiError | undefined {
  const [prefix] = DATA_URL.exec(url) ?? []
  if (prefix !== undefined) {
    const bytes = decodeBase64(url.slice(prefix.length, prefix.length + SIGNATURE_LENGTH))
    return SIGNATURES.some((signature) => signature.test(bytes)) ? undefined : apiError('invalid-image')
  }
  return URL.canParse(url) && !UNREACHABLE.test(new URL(url).hostname)
    ? undefined
    : apiError('image-download-failed', { url })
}

/** The bytes as a text of one character each; '' for what is not base64. */
function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
