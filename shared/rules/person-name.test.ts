import { expect, test } from 'vitest'
import { fullName, nameOrEmail } from './person-name.ts'

test('a member who gave part of their name is called by it, and one who gave none by their address', () => {
  const names: [firstName: string | null, lastName: string | null, full: string, called: string][] = [
    ['Sam', 'Field', 'Sam Field', 'Sam Field'],
    ['Sam', null, 'Sam', 'Sam'],
    ['Sam', '', 'Sam', 'Sam'],
    [null, 'Field', 'Field', 'Field'],
    ['', 'Field', 'Field', 'Field'],
    [null, null, '', 'sam@example.com'],
    ['', '', '', 'sam@example.com'],
  ]
  for (const [firstName, lastName, full, called] of names) {
    expect(fullName({ firstName, lastName })).toBe(full)
    expect(nameOrEmail({ firstName, lastName, email: 'sam@example.com' })).toBe(called)
  }
})
