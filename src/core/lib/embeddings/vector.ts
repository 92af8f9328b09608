/**
 * Text embeddings without a model: a unit vector that is a function of seed, model name and text alone. Similar texts have
 * similar vectors: "How do I reset my password?" and "I forgot my password" have a cosine of 0.37, and one about the weather 0.05.
 *
 *     text -> features, hashed and weighted -> 2,048 sums -> rotated -> plus a common part -> unit length, float32
 *              features.ts                        projection.ts              here
 *
 * All steps but the last use whole numbers. The last one adds, multiplies, divides and takes square roots of doubles,
 * for which IEEE 754 allows one result only, then rounds to float32. So the bytes are the same in every engine.
 */
import { hash32, mix32 } from '../random/hash.ts'
import { addFeatures } from './features.ts'
import { Sketch } from './projection.ts'

/** The vector space, and the number of its coordinates. */
interface EmbedOptions {
  /** Any text; another seed gives an unrelated vector space. */
  readonly seed: string
  /** The model's name; another model has an unrelated vector space. */
  readonly model: string
  /** The number of coordinates, a whole number of at least 1. A smaller number gives the prefix of a larger one. */
  readonly dimensions: number
}

// Vectors of real models share a direction, so unrelated texts are a little similar: here by 0.06 = w^2 / (1 + w^2) for w = 0.25.
const COMMON_PART = 0.25
// The mean (never an exact sum) and the standard deviation of a sum of three numbers of 10, 11 and 11 random bits.
const MEAN_OF_FIELDS = 2558.5
const DEVIATION_OF_FIELDS = Math.sqrt((1024 * 1024 + 2 * 2048 * 2048 - 3) / 12)

/**
 * The embedding of a text: unit length (within 1e-7), similar for similar texts in any script. Takes about 0.15 ms for
 * a hundred words, and time in proportion to the length of the text.
 * @example embed('How do I reset my password?', { seed: '7', model: 'text-embedding-3-small', dimensions: 1536 })
 */
export function embed(text: string, { seed, model, dimensions }: EmbedOptions): Float32Array {
  const key = hash32(model, hash32(seed, 0))
  const sketch = new Sketch()
  addFeatures(sketch, text, key)
  const coordinates = sketch.rotate(key, dimensions)
  // Scaled to a root mean square of about 1; then the direction that all texts of a model share is added.
  const length = sketch.length()
  const scale = length === 0 ? 0 : 1 / length
  const commonScale = COMMON_PART / DEVIATION_OF_FIELDS
  const commonKey = mix32(key + 1)
  for (let i = 0; i < coordinates.length; i++) {
    // A sum of a few random numbers is bell-shaped, as the coordinates of real vectors are.
    const bits = mix32(commonKey + i)
    const sum = (bits & 0x3ff) + ((bits >>> 10) & 0x7ff) + (bits >>> 21)
    coordinates[i] = coordinates[i]! * scale + (sum - MEAN_OF_FIELDS) * commonScale
  }
  return toUnitLength(coordinates)
}

/**
 * The first `dimensions` coordinates (1 to all) of a unit vector, again of unit length. An all-zero prefix becomes the
 * first axis.
 */
export function shortenVector(vector: Float32Array, dimensions: number): Float32Array {
  // Dividing by a length that is 1 but for rounding would only move the last bits.
  return dimensions >= vector.length ? vector.slice() : toUnitLength(vector.subarray(0, dimensions))
}

function toUnitLength(coordinates: Float64Array | Float32Array): Float32Array {
  let squares = 0
  for (let i = 0; i < coordinates.length; i++) squares += coordinates[i]! * coordinates[i]!
  const length = Math.sqrt(squares)
  const unit = new Float32Array(coordinates.length)
  if (length === 0) unit[0] = 1
  else for (let i = 0; i < unit.length; i++) unit[i] = coordinates[i]! / length
  return unit
}
