/** Words, ranges of numbers and formats that the names of properties suggest. Names with the same values share a line. */
/** The range to draw from where the bounds allow it. */
export interface NumberHint {
  readonly from: number
  readonly to: number
  /** Digits after the point, for a number that is not an integer. */
  readonly decimals: number
}

// biome-ignore format: a list
export const FIRST_NAMES = [
  'Ada', 'Bruno', 'Carla', 'Dario', 'Elena', 'Farid', 'Grace', 'Hana', 'Ivan', 'Julia', 'Kofi', 'Lena',
]
// biome-ignore format: a list
export const LAST_NAMES = [
  'Berger', 'Costa', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Haddad', 'Ito', 'Jensen', 'Kim', 'Lopez', 'Moreau',
]
export const THINGS = ['lamp', 'notebook', 'kettle', 'bicycle', 'backpack', 'chair', 'clock', 'teapot']
export const SUBJECTS = ['garden', 'harbour', 'library', 'market', 'mountain', 'river', 'station', 'workshop']
export const QUALITIES = ['bright', 'calm', 'clear', 'modern', 'quiet', 'simple', 'small', 'steady']

const byName = <Value>(table: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(table).flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)))

/** Texts for a property whose name ends in this word. */
export const WORDS = byName<readonly string[]>({
  author: FIRST_NAMES,
  category: ['books', 'garden', 'kitchen', 'music', 'sports', 'travel'],
  'city location': ['Paris', 'Lisbon', 'Oslo', 'Kyoto', 'Lima', 'Cairo', 'Dublin', 'Vienna', 'Boston', 'Nairobi'],
  'color colour': ['amber', 'blue', 'green', 'red', 'violet'],
  company: ['Northwind', 'Blue Harbour', 'Mill & Son', 'Lakeside Labs'],
  'content description explanation message note reason sentence summary text thought': [
    'A short note about the river.',
    'The market opens at nine.',
    'Everything went as planned.',
    'It takes two steps to finish.',
    'The library is quiet in the morning.',
    'This is a simple example.',
  ],
  country: ['France', 'Portugal', 'Norway', 'Japan', 'Peru', 'Egypt', 'Ireland', 'Austria', 'Kenya', 'Canada'],
  currency: ['EUR', 'USD', 'GBP', 'JPY'],
  day: ['Monday', 'Tuesday', 'Thursday', 'Saturday'],
  department: ['Sales', 'Support', 'Research', 'Design'],
  gender: ['female', 'male'],
  genre: ['drama', 'comedy', 'mystery', 'history'],
  ingredient: ['flour', 'butter', 'salt', 'sugar', 'milk'],
  job: ['baker', 'teacher', 'engineer', 'nurse'],
  language: ['en', 'fr', 'de', 'es', 'ja'],
  locale: ['en-GB', 'fr-FR', 'de-DE', 'ja-JP'],
  month: ['March', 'June', 'September', 'December'],
  mood: QUALITIES,
  organization: ['Northwind', 'Lakeside Labs'],
  priority: ['low', 'medium', 'high'],
  'product item': THINGS,
  query: SUBJECTS.map((word) => `${word} opening hours`),
  question: ['What time does the market open?', 'Where is the station?'],
  role: ['admin', 'editor', 'viewer'],
  sentiment: ['positive', 'neutral', 'negative'],
  state: ['open', 'closed', 'pending'],
  status: ['active', 'pending', 'done'],
  'street address': ['12 Harbour Street', '7 Mill Lane', '230 Station Road', '4 Garden Square', '18 Orchard Avenue'],
  symbol: ['ACME', 'NWND', 'LAKE'],
  tag: [...SUBJECTS, ...QUALITIES],
  timezone: ['Europe/Paris', 'Asia/Tokyo', 'America/Lima'],
  'topic word': SUBJECTS,
  unit: ['metric', 'imperial'],
  weather: ['sunny', 'cloudy', 'rainy'],
})

/** Ranges for a number whose name has this word last or last but one. */
export const RANGES = byName<NumberHint>({
  age: { from: 18, to: 80, decimals: 0 },
  'amount cost': { from: 1, to: 500, decimals: 2 },
  confidence: { from: 0.5, to: 1, decimals: 2 },
  'count page quantity': { from: 1, to: 10, decimals: 0 },
  day: { from: 1, to: 28, decimals: 0 },
  duration: { from: 1, to: 90, decimals: 0 },
  hour: { from: 0, to: 23, decimals: 0 },
  humidity: { from: 30, to: 90, decimals: 0 },
  index: { from: 0, to: 9, decimals: 0 },
  'lat latitude': { from: -60, to: 70, decimals: 4 },
  limit: { from: 1, to: 20, decimals: 0 },
  'lng lon longitude': { from: -180, to: 180, decimals: 4 },
  minute: { from: 0, to: 59, decimals: 0 },
  month: { from: 1, to: 12, decimals: 0 },
  'percent percentage': { from: 0, to: 100, decimals: 0 },
  price: { from: 5, to: 200, decimals: 2 },
  'probability score': { from: 0, to: 1, decimals: 2 },
  rating: { from: 1, to: 5, decimals: 1 },
  temperature: { from: -5, to: 35, decimals: 1 },
  timestamp: { from: 1_750_000_000, to: 1_790_000_000, decimals: 0 },
  total: { from: 10, to: 900, decimals: 2 },
  year: { from: 1990, to: 2026, decimals: 0 },
})

/** The format that a text of this name usually has. */
export const FORMATS = byName({
  'date birthday birthdate deadline': 'date',
  'datetime timestamp': 'date-time',
  'email mail': 'email',
  'hostname host domain': 'hostname',
  ip: 'ipv4',
  time: 'time-of-day',
  'url uri link website homepage': 'uri',
  'uuid guid': 'uuid',
})
