import { expect, test } from 'vitest'
import { numberOfChat } from './chat-number.ts'

test.each([
  ['https://wa.me/447700900123', '07700 900123', '+447700900123'],
  ['https://wa.me/+447700900123?text=Hello', '07700 900123', '+447700900123'],
  ['https://wa.me/353861234567', '+353861234567', '+353861234567'],
])('%s has a number to ring', (chat, shown, dialled) => expect(numberOfChat(chat)).toEqual({ shown, dialled }))

test.each(['https://wa.me/message/ABC123', 'https://chat.example/447700900123', 'https://wa.me/44'])(
  '%s has none',
  (chat) => expect(numberOfChat(chat)).toBeNull(),
)
