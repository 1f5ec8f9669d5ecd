import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fieldsOfCalls } from '#api/testing/contract-fields.ts'
import { startWorld } from '#api/testing/world.ts'

/** Visible text accepts words and rejects control characters. Passwords are left as they were typed. */
const isForPeople = (field: v.GenericSchema) =>
  v.is(field, 'tape-and-level 42') && !v.is(field, 'tape-and-level\u0008 42')

test('no text of any call keeps a carriage return: its lines end one way, or it is one line', () => {
  const texts = fieldsOfCalls(startWorld()).filter(
    ({ part, name, field }) => part === 'body' && !/password$/i.test(name) && isForPeople(field),
  )
  const kept = texts.flatMap(({ method, path, name, field }) => {
    const read = v.safeParse(field, 'Bench\rCo and\r\nSon')
    const output: unknown = read.success ? read.output : ''
    return ['', 'Bench\nCo and\nSon'].includes(String(output)) ? [] : [`${method} ${path} ${name}`]
  })
  expect(kept).toEqual([])
  expect(texts.length).toBeGreaterThan(100)
})
