/** An answer in a language that the user did not write in. */
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
  summary: 'A text in a language other than that of the prompt.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat completion that is plain text, not JSON or a tool call',
  message: (message, _, random) => {
    if (message.type !== 'text' || message.schema !== undefined) return undefined
    return { type: 'text', text: SENTENCES[random.below(SENTENCES.length)]! }
  },
}
