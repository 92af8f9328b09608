/** Checks of images and files in messages, for scenarios with strict validation. */

import { DATA_URL, readImageSize } from '../../../lib/images/image-size.ts'
import { isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import { type ApiError, apiError } from '../../../protocol/errors/error-catalogue.ts'

const FORMATS_OF_IMAGES = /^data:image\/(?:png|jpe?g|gif|webp)[;,]/
/** The first bytes of the formats that the service reads: PNG, JPEG, GIF and WebP. */
const SIGNATURES = [/^\x89PNG\r\n\x1a\n/, /^\xff\xd8\xff/, /^GIF8[79]a/, /^RIFF[\s\S]{4}WEBP/]
/** The base64 of the first 12 bytes, which tell the format. */
const SIGNATURE_LENGTH = 16
/** Hosts that no service on the internet can reach: this machine, private networks, and reserved names. */
const UNREACHABLE =
  /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0|\[::1\])|\.(?:localhost|local|internal|invalid|test)$/

/** The first image that the service could not read, in a scenario with strict validation. Nothing is downloaded. */
export function imageProblem(messages: readonly JsonObject[]): ApiError | undefined {
  for (const { image_url: image } of messages.flatMap(({ content }) => objectsIn(content))) {
    if (!isObject(image) || typeof image.url !== 'string') continue
    const { url } = image
    const [prefix] = DATA_URL.exec(url) ?? []
    if (prefix === undefined) {
      if (!URL.canParse(url) || UNREACHABLE.test(new URL(url).hostname))
        return apiError('image-download-failed', { url })
      continue
    }
    let bytes = ''
    try {
      bytes = atob(url.slice(prefix.length, prefix.length + SIGNATURE_LENGTH))
    } catch {
      // It is not base64.
    }
    const isKnown = SIGNATURES.some((signature) => signature.test(bytes))
    if (isKnown && readImageSize(url) !== undefined) continue
    return apiError(isKnown || FORMATS_OF_IMAGES.test(prefix) ? 'invalid-image' : 'unsupported-image')
  }
  return undefined
}

const UNREADABLE_TYPE = /^data:((?:audio|font|image|video)\/[^;,]*|application\/(?:octet-stream|zip))[;,]/
const UNREADABLE_NAME = /\.(?:avi|flac|gif|jpe?g|m4a|mov|mp3|mp4|ogg|png|wav|webm|webp|zip)$/i

/** The first file of the items of a responses request that the service could not read. Nothing is downloaded. */
export function fileProblem({ input }: JsonObject): ApiError | undefined {
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    if (!isObject(item)) continue
    const field = item.output === undefined ? 'content' : 'output'
    const parts = item[field]
    if (!Array.isArray(parts)) continue
    for (const [place, part] of parts.entries()) {
      if (!isObject(part) || part.type !== 'input_file') continue
      const { file_data: data, file_url: url } = part
      const [, mime] = (typeof data === 'string' && UNREADABLE_TYPE.exec(data.slice(0, 200))) || []
      if (mime !== undefined) {
        const path = `input[${index}].${field}[${place}].file_data`
        return apiError('unsupported-file-data', { path, mime })
      }
      if (typeof url === 'string' && URL.canParse(url) && UNREADABLE_NAME.test(new URL(url).pathname))
        return apiError('unsupported-file-url')
    }
  }
  return undefined
}
