import { expect, test } from 'vitest'
import { blankParticulars, disclosureOf, firmOf, firmValues } from './firm.ts'

const seller = { name: 'Bench Ltd', address: '1 Yard Lane\nLeeds LS1 1AA', vatNumber: 'GB 123 4567 89' }
const filled = {
  ...{ number: '01234567', registeredIn: 'England and Wales', dataRegistration: 'ZA123456' },
  ...{ email: 'office@bench.example', hosting: 'Host Ltd, UK', mailService: 'Post Ltd, UK' },
}
const blank = { number: '', registeredIn: '', dataRegistration: '', email: '', hosting: '', mailService: '' }

test('a company says its number, where it is registered, its office and its VAT number', () => {
  expect(disclosureOf(firmOf(filled, seller))).toBe(
    'Bench Ltd. Company number 01234567, registered in England and Wales. Registered office: 1 Yard Lane, Leeds LS1 1AA. VAT number GB 123 4567 89',
  )
})

test('a sole trader has no number and no register', () => {
  const firm = firmOf({ ...filled, number: 'none' }, seller)
  expect(disclosureOf(firm)).toBe('Bench Ltd. 1 Yard Lane, Leeds LS1 1AA. VAT number GB 123 4567 89')
  expect(firmValues(firm).identity).toBe('Bench Ltd, of 1 Yard Lane, Leeds LS1 1AA')
})

test('what is blank is a marked gap in the texts, and nothing at the foot', () => {
  const firm = firmOf(blank, { name: '', address: '', vatNumber: '' })
  expect(disclosureOf(firm)).toBe('')
  expect(firmValues(firm).number).toBe('[company number]')
  expect(blankParticulars(blank)).toHaveLength(6)
  expect(blankParticulars(filled)).toEqual([])
})
