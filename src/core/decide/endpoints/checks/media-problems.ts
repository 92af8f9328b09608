/**
 * Images and files that the service could not read, such as `data:image/png;base64,AAAA`, which is not a PNG. A scenario with
 * strict validation refuses them. Nothing is downloaded: an address is only refused if no service can reach it.
 */

import { DATA_URL, readImageSize } from '../../../lib/images/image-size.ts'
import { isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

/** The first bytes of the image formats that the service reads: PNG, JPEG, GIF and WebP. */
const SIGNATURES = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[\s\S]{4}WEBP/]
/** The length of the base64 of 12 bytes, as many as a signature has at most. */
const SIGNATURE_LENGTH = 16
/** The media types of these formats. */
const READABLE_TYPE = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/
/** Hosts that no service on the internet can reach: this machine, private networks, and reserved names. */
const UNREACHABLE =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])|\.(?:localhost|local|internal|invalid|test)$/

/** The first image of chat messages that the service could not read. */
export function imageProblem(messages: readonly JsonObject[]): ApiError | undefined {
  for (const { image_url: image } of messages.flatMap(({ content }) => objectsIn(content))) {
    if (!isObject(image) || typeof image.url !== 'string') continue
    const problem = problemOfImage(image.url)
    if (problem !== undefined) return problem
  }
  return undefined
}

function problemOfImage(url: string): ApiError | undefined {
  const [prefix] = DATA_URL.exec(url) ?? []
  if (prefix === undefined) {
    const isReachable = URL.canParse(url) && !UNREACHABLE.test(new URL(url).hostname)
    return isReachable ? undefined : apiError('image-download-failed', { url })
  }
  let start = ''
  try {
    start = atob(url.slice(prefix.length, prefix.length + SIGNATURE_LENGTH))
  } catch {
    // It is not base64.
  }
  const hasSignature = SIGNATURES.some((signature) => signature.test(start))
  if (!hasSignature && !READABLE_TYPE.test(prefix)) return apiError('unsupported-image')
  return hasSignature && readImageSize(url) !== undefined ? undefined : apiError('invalid-image')
}

/** Media types and names of files that are no documents. */
const UNREADABLE_TYPE = /^data:((?:audio|font|image|video)\/[^;,]*|application\/(?:octet-stream|zip))[;,]/
const UNREADABLE_NAME = /\.(?:avi|flac|gif|jpe?g|m4a|mov|mp3|mp4|ogg|png|wav|webm|webp|zip)$/i
/** Characters of a data URL in which its type is looked for. */
const MAX_TYPE_LENGTH = 200

/** The first file in the input of a responses request that the service could not read. */
export function fileProblem({ input }: JsonObject): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue
    // The output of a function may have files too.
    const field = item.output === undefined ? 'content' : 'output'
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    for (const [place, part] of parts.entries()) {
      if (!isObject(part) || part.type !== 'input_file') continue
      const { file_data: data, file_url: url } = part
      if (typeof data === 'string') {
        const [, mime] = UNREADABLE_TYPE.exec(data.slice(0, MAX_TYPE_LENGTH)) ?? []
        const path = `input[${index}].${field}[${place}].file_data`
        if (mime !== undefined) return apiError('unsupported-file-data', { path, mime })
      }
      if (typeof url === 'string' && URL.canParse(url) && UNREADABLE_NAME.test(new URL(url).pathname))
        return apiError('unsupported-file-url')
    }
  }
  return undefined
}
