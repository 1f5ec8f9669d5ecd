import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSettings } from '#api/settings.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const example = [...read('.env.example').matchAll(/^# ([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}))

test('.env.example holds every option there is, and no other', () => {
  const options = [...read('api/environment.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  expect(example.map(({ name }) => name).sort()).toEqual(options.sort())
})

test('the values in .env.example are the defaults', () => {
  const written = Object.fromEntries(
    example.filter(({ value }) => value !== '').map(({ name, value }) => [name, value]),
  )
  expect(readSettings(written)).toEqual(readSettings({}))
})
