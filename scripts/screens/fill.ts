import type { Locator } from '@playwright/test'

/** What a person might type, by the kind of field. */
const samples: Record<string, string> = {
  email: 'danny.marsh@example.com',
  tel: '07700 900456',
  url: 'https://www.example.com/a-page',
  number: '5',
  date: '2026-12-01',
  'datetime-local': '2026-12-01T09:30',
  time: '09:30',
  month: '2026-12',
  password: 'tape-and-level-42',
  text: 'Back boiler out, combi in',
  search: 'marsh',
}

/** By what a browser would fill in. */
const ownSamples: Record<string, string> = {
  name: 'Danny Marsh',
  'given-name': 'Danny',
  'family-name': 'Marsh',
  organization: 'Marsh Plumbing and Heating',
  'street-address': '4 Ferry Road',
  'address-level2': 'Hull',
  'postal-code': 'HU1 1AA',
}

const paragraph = 'Priced the Ferry Road job on Tuesday.\nTwo lads for three days, and the boiler is on order.'

/** By the example in an empty field. */
const exampleSamples: Record<string, string> = {
  'DD/MM/YYYY': '01/12/2026',
  'DD/MM/YYYY HH:MM': '01/12/2026 09:30',
}

/** What a person can get to: not the honeypot, whose forms the server throws away, nor the picker behind a date. */
const reached = ['input', 'textarea', 'select'].map((kind) => `${kind}:visible:enabled:not([tabindex="-1"])`).join(', ')

const quickly = { timeout: 2000 }

/** Fills what's empty, and picks something in each list. Answers whether there was anything to fill. */
export async function fillFields(scope: Locator): Promise<boolean> {
  const fields = await scope.locator(reached).all()
  const filled = []
  for (const field of fields) filled.push(await fillField(field).catch(() => false))
  const editor = scope.locator('[contenteditable=true]:visible').first()
  if ((await editor.count()) > 0 && (await editor.textContent())?.trim() === '') await editor.fill(paragraph, quickly)
  return filled.includes(true)
}

async function fillField(field: Locator): Promise<boolean> {
  const { kind, value, own, hint } = await field.evaluate(describeField)
  if (kind === 'checkbox') return field.check(quickly).then(() => true)
  if (value !== '') return false
  if (kind === 'select') return field.selectOption({ index: 1 }, quickly).then(() => true)
  const example = exampleSamples[hint] ?? hint
  const sample = kind === 'textarea' ? paragraph : example || ownSamples[own] || samples[kind]
  if (sample === undefined) return false
  return field.fill(sample, quickly).then(() => true)
}

/** Runs in the page. */
function describeField(field: Element) {
  if (field instanceof HTMLSelectElement) return { kind: 'select', value: field.value, own: '', hint: '' }
  if (field instanceof HTMLTextAreaElement) return { kind: 'textarea', value: field.value, own: '', hint: '' }
  if (!(field instanceof HTMLInputElement) || field.readOnly) return { kind: 'none', value: '', own: '', hint: '' }
  const { type, inputMode, value, autocomplete, placeholder } = field
  const isNumber = type === 'text' && (inputMode === 'numeric' || inputMode === 'decimal')
  return { kind: isNumber ? 'number' : type, value, own: autocomplete, hint: placeholder }
}
