import type { World } from '#api/testing/world.ts'
import type { NewForm } from '#pwa/sync/forms/store.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'
import type { Phone } from './phone.ts'

export function contactForm(phone: Phone, message = 'Can you ring me about quotes?'): NewForm {
  const typed = { name: 'Sam Field', email: 'sam@example.com', trade: '', message }
  const id = uuidV7(phone.platform.wall(), phone.platform.randomBytes(idRandomBytes))
  return { id, kind: 'contact', typed, body: JSON.stringify(typed) }
}

export const storedMessages = (world: World): string[] =>
  world.ctx.sqlite
    .prepare<[], { message: string }>('select message from contacts order by createdAt, id')
    .all()
    .map(({ message }) => message)
