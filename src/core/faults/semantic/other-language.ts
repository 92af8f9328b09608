/** The model answers in a language that nobody asked for. */
import type { SemanticFault } from '../fault.ts'

const SENTENCES = [
  'Entschuldigung, ich antworte heute lieber auf Deutsch.',
  'Lo siento, hoy prefiero contestar en español.',
  'Désolé, aujourd’hui je préfère répondre en français.',
  'すみません、今日は日本語でお答えします。',
  '抱歉，今天我想用中文回答。',
  'عذرًا، أفضل أن أجيب اليوم بالعربية.',
  'Простите, сегодня я отвечу по-русски.',
  'क्षमा करें, आज मैं हिन्दी में उत्तर दूँगा।',
]

export const otherLanguage: SemanticFault = {
  kind: 'semantic',
  name: 'other-language',
  summary: 'A text in another language than the one it was asked in.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat that is answered with a text, not with JSON or a call',
  speech: (speech, _, random) => {
    if (speech.type !== 'text' || speech.schema !== undefined) return undefined
    return { type: 'text', text: SENTENCES[random.below(SENTENCES.length)]! }
  },
}
