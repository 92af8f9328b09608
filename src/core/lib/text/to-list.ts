/** A setting that may be one value or a list of them, as a list; a setting that is left out is an empty list. */
export const toList = <Value>(value: Value): readonly Item<Value>[] =>
  value === undefined ? [] : ([value].flat() as Item<Value>[])

type Item<Value> = Value extends readonly (infer One)[] ? One : Exclude<Value, undefined>
