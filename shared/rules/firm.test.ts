import { expect, test } from 'vitest'
import { disclosureOf, firmValues } from './firm.ts'

const filled = {
  name: 'Bench Ltd',
  office: '1 Yard Lane, Leeds LS1 1AA',
  vatNumber: 'GB 123 4567 89',
  number: '01234567',
  registeredIn: 'England and Wales',
  dataRegistration: 'ZA123456',
  email: 'office@bench.example',
  hosting: 'Host Ltd, UK',
  mailService: 'Post Ltd, UK',
}

test('a company says its number, where it is registered, its office and its VAT number', () => {
  expect(disclosureOf(filled)).toBe(
    'Bench Ltd. Company number 01234567, registered in England and Wales. Registered office: 1 Yard Lane, Leeds LS1 1AA. VAT number GB 123 4567 89',
  )
})

test('a sole trader has no number and no register', () => {
  const firm = { ...filled, number: 'none' }
  expect(disclosureOf(firm)).toBe('Bench Ltd. 1 Yard Lane, Leeds LS1 1AA. VAT number GB 123 4567 89')
  expect(firmValues(firm).identity).toBe('Bench Ltd, of 1 Yard Lane, Leeds LS1 1AA')
})

test('what is blank is a marked gap in the texts, and nothing at the foot', () => {
  const blank = { name: '', office: '', vatNumber: '', number: '', registeredIn: '', dataRegistration: '' }
  expect(disclosureOf({ ...blank, email: '', hosting: '', mailService: '' })).toBe('')
  expect(firmValues(blank).number).toBe('[company number]')
})
