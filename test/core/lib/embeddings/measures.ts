/** Measures of vectors and of rankings, for the tests. */

export function cosine(a: Float32Array, b: Float32Array): number {
  return product(a, b) / (length(a) * length(b))
}

export function length(vector: Float32Array): number {
  return Math.sqrt(product(vector, vector))
}

/** Spearman's rank correlation; ties share their mean rank. */
export function spearman(one: readonly number[], other: readonly number[]): number {
  return pearson(ranks(one), ranks(other))
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0)
}

function ranks(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2)
}

function pearson(one: readonly number[], other: readonly number[]): number {
  const a = centred(one)
  const b = centred(other)
  const sumOfProducts = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, i) => sum + value * y[i]!, 0)
  return sumOfProducts(a, b) / Math.sqrt(sumOfProducts(a, a) * sumOfProducts(b, b))
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.map((value) => value - mean)
}
