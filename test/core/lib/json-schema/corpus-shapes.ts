/** Satisfiable schemas as applications write them: structured outputs, function parameters, recursion, references. */
const text = { type: 'string' }
const integer = { type: 'integer' }
const list = (items: unknown) => ({ type: 'array', items })

/** An object as strict mode wants it: all required, nothing else. */
export const strictObject = (properties: Readonly<Record<string, unknown>>, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })

/** Schemas that `strict: true` accepts. */
export const strictSchemas: Readonly<Record<string, object>> = {
  'a calendar event': strictObject({ name: text, date: text, participants: list(text) }),
  'a mathematics tutor': strictObject({
    steps: list(strictObject({ explanation: text, output: text })),
    final_answer: text,
  }),
  'a research paper': strictObject({ title: text, authors: list(text), abstract: text, keywords: list(text) }),
  moderation: strictObject({
    is_violating: { type: 'boolean' },
    category: { type: ['string', 'null'], enum: ['violence', 'sexual', 'self_harm', null] },
    explanation_if_violating: { type: ['string', 'null'] },
  }),
  'a user interface, recursive by its root': strictObject(
    {
      type: { type: 'string', enum: ['div', 'button', 'header', 'section', 'field', 'form'] },
      label: text,
      children: list({ $ref: '#' }),
      attributes: list(strictObject({ name: text, value: text })),
    },
    { description: 'A component' },
  ),
  'a linked list': strictObject(
    { linked_list: { $ref: '#/$defs/node' } },
    { $defs: { node: strictObject({ value: { type: 'number' }, next: orNull({ $ref: '#/$defs/node' }) }) } },
  ),
  'a binary tree': strictObject({ value: integer, left: orNull({ $ref: '#' }), right: orNull({ $ref: '#' }) }),
  'definitions used twice': strictObject(
    { home: { $ref: '#/$defs/address' }, work: { $ref: '#/$defs/address' } },
    { $defs: { address: strictObject({ street: text, city: text, zip: { type: 'string', pattern: '^\\d{5}$' } }) } },
  ),
  'a union of objects': strictObject({
    item: {
      anyOf: [
        strictObject({ name: text, age: { type: 'number', minimum: 0, maximum: 130 } }),
        strictObject({ number: text, street: text, city: text }),
      ],
    },
  }),
  'a weather function': strictObject({ location: text, unit: { type: ['string', 'null'], enum: ['F', 'C'] } }),
  'a query function': strictObject({
    table_name: { type: 'string', enum: ['orders'] },
    columns: list({ type: 'string', enum: ['id', 'status', 'ordered_at'] }),
    conditions: list(
      strictObject({
        column: text,
        operator: { type: 'string', enum: ['=', '>', '<', '!='] },
        value: { anyOf: [text, { type: 'number' }, strictObject({ column_name: text })] },
      }),
    ),
    order_by: { type: 'string', enum: ['asc', 'desc'] },
  }),
  'bounds of every kind': strictObject({
    username: { type: 'string', pattern: '^@[a-zA-Z0-9_]+$' },
    email: { type: 'string', format: 'email' },
    score: { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.05 },
    sides: { type: 'array', items: integer, minItems: 3, maxItems: 4 },
    tag: { type: 'string', const: 'v1' },
  }),
  'no parameters at all': strictObject({}),
}

/** Schemas that are plain JSON Schema and no strict ones. */
export const looseSchemas: Readonly<Record<string, unknown>> = {
  'function parameters with one required': {
    type: 'object',
    properties: {
      location: text,
      unit: { type: 'string', enum: ['c', 'f'] },
      days: { ...integer, minimum: 1, maximum: 7 },
    },
    required: ['location'],
  },
  'function parameters of none': { type: 'object', properties: {} },
  'a pydantic model': {
    $defs: { Color: { enum: ['red', 'green'], title: 'Color', type: 'string' } },
    properties: {
      name: { title: 'Name', type: 'string' },
      color: { $ref: '#/$defs/Color' },
      weight: { anyOf: [{ type: 'number' }, { type: 'null' }], default: null, title: 'Weight' },
    },
    required: ['name', 'color'],
    title: 'Thing',
    type: 'object',
  },
  'a zod record': { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'number' } },
  'a zod discriminated union': {
    oneOf: [
      strictObject({ type: { type: 'string', const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } }),
      strictObject({ type: { type: 'string', const: 'square' }, side: { type: 'number', exclusiveMinimum: 0 } }),
    ],
  },
  'a zod intersection': {
    allOf: [
      { type: 'object', properties: { a: text }, required: ['a'] },
      { type: 'object', properties: { b: integer }, required: ['b'] },
    ],
  },
  'a comment thread': {
    $ref: '#/definitions/comment',
    definitions: {
      comment: {
        type: 'object',
        properties: { text, replies: list({ $ref: '#/definitions/comment' }) },
        required: ['text', 'replies'],
      },
    },
  },
  'a tree that must have a child or a leaf': {
    $defs: {
      tree: {
        anyOf: [
          {
            type: 'object',
            properties: { branch: { $ref: '#/$defs/tree' } },
            required: ['branch'],
            additionalProperties: false,
          },
          {
            type: 'object',
            properties: { leaf: { type: 'integer' } },
            required: ['leaf'],
            additionalProperties: false,
          },
        ],
      },
    },
    $ref: '#/$defs/tree',
  },
  'mutual recursion': {
    $defs: {
      even: { type: 'object', properties: { next: { $ref: '#/$defs/odd' } } },
      odd: { type: 'object', properties: { next: { $ref: '#/$defs/even' } }, required: ['next'] },
    },
    $ref: '#/$defs/odd',
  },
  'an expression': {
    $defs: {
      expression: {
        oneOf: [
          { type: 'number' },
          {
            type: 'array',
            prefixItems: [{ enum: ['+', '*'] }, { $ref: '#/$defs/expression' }, { $ref: '#/$defs/expression' }],
            items: false,
            minItems: 3,
          },
        ],
      },
    },
    $ref: '#/$defs/expression',
  },
  'any JSON, recursively': {
    $defs: {
      json: {
        anyOf: [
          { type: ['string', 'number', 'boolean', 'null'] },
          list({ $ref: '#/$defs/json' }),
          { type: 'object', additionalProperties: { $ref: '#/$defs/json' } },
        ],
      },
    },
    type: 'object',
    properties: { data: { $ref: '#/$defs/json' } },
    required: ['data'],
  },
  'an anchor': {
    type: 'object',
    properties: { a: { $ref: '#word' } },
    required: ['a'],
    $defs: { w: { $anchor: 'word', ...text } },
  },
  'a pointer with escapes': {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a~1b~0c%25' } },
    required: ['a'],
    $defs: { 'a/b~c%': { type: 'integer', minimum: 4 } },
  },
  'a pointer into an array': { anyOf: [{ type: 'integer', minimum: 90 }, { $ref: '#/anyOf/0' }] },
  'a pointer to where no keyword leads': {
    $ref: '#/components/schemas/Pet',
    components: { schemas: { Pet: strictObject({ name: text }) } },
  },
  'a reference by $id': {
    $id: 'https://example.com/root',
    $ref: 'item',
    $defs: { x: { $id: 'item', type: 'integer' } },
  },
  'a reference with siblings': { $ref: '#/$defs/n', maximum: 12, $defs: { n: { type: 'integer', minimum: 11 } } },
  'a chain of references': {
    $ref: '#/$defs/a',
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: { const: 'end' } },
  },
  'nested fifteen deep': Array.from({ length: 15 }).reduce<unknown>((inner) => strictObject({ inner }), integer),
  'two hundred properties': strictObject(
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`field_${i}`, text])),
  ),
  'an enum of a thousand': { enum: Array.from({ length: 1000 }, (_, i) => `value ${i}`) },
}

/** Tuples in the words of draft 7, for a judge of that draft. */
export const draft7Schemas: Readonly<Record<string, unknown>> = {
  'items as a list': { type: 'array', items: [text, integer], minItems: 2 },
  'items as a list, closed': { type: 'array', items: [text, integer], additionalItems: false, minItems: 2 },
  'items as a list, with more': { type: 'array', items: [text], additionalItems: { type: 'boolean' }, minItems: 3 },
  'an $id as an anchor': { $ref: '#word', definitions: { w: { $id: '#word', const: 'word' } } },
}
