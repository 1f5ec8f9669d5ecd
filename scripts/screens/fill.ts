import type { Locator } from '@playwright/test'

/** What a person might type, by the kind of field. */
const samples: Record<string, string> = {
  ...{ email: 'danny.marsh@example.com', tel: '07700 900456', url: 'https://www.example.com/a-page', number: '5' },
  ...{ date: '2026-12-01', 'datetime-local': '2026-12-01T09:30', time: '09:30', month: '2026-12' },
  ...{ password: 'tape-and-level-42', text: 'Danny Marsh, Marsh Plumbing and Heating', search: 'marsh' },
}

const paragraph = 'Priced the Ferry Road job on Tuesday.\nTwo lads for three days, and the boiler is on order.'

const quickly = { timeout: 2000 }

/** Fills what's empty, and picks something in each list. Answers whether there was anything to fill. */
export async function fillFields(scope: Locator): Promise<boolean> {
  const fields = await scope.locator('input:visible:enabled, textarea:visible:enabled, select:visible:enabled').all()
  const filled = []
  for (const field of fields) filled.push(await fillField(field).catch(() => false))
  const editor = scope.locator('[contenteditable=true]:visible').first()
  if ((await editor.count()) > 0 && (await editor.textContent())?.trim() === '') await editor.fill(paragraph, quickly)
  return filled.includes(true)
}

async function fillField(field: Locator): Promise<boolean> {
  const { tag, type, value, hint } = await field.evaluate((element) => {
    if (element instanceof HTMLSelectElement) return { tag: 'select', type: '', value: element.value, hint: '' }
    if (element instanceof HTMLTextAreaElement) return { tag: 'textarea', type: '', value: element.value, hint: '' }
    if (!(element instanceof HTMLInputElement) || element.readOnly) return { tag: '', type: '', value: '', hint: '' }
    const isNumber = element.inputMode === 'numeric' || element.inputMode === 'decimal'
    return {
      tag: 'input',
      type: element.type === 'text' && isNumber ? 'number' : element.type,
      value: element.value,
      hint: element.placeholder,
    }
  })
  if (type === 'checkbox') return field.check(quickly).then(() => true)
  if (tag === 'select') {
    if (value !== '') return false
    await field.selectOption({ index: 1 }, quickly)
    return true
  }
  if (tag === '' || value !== '' || type === 'search') return false
  const sample = tag === 'textarea' ? paragraph : hint || samples[type]
  if (sample === undefined) return false
  await field.fill(sample, quickly)
  return true
}
