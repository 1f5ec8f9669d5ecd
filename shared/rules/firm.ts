import type { FirmParticulars } from '#shared/contract/site-content.ts'

/** Who sells, as the settings say; what nobody has set is empty. */
export type Seller = { name: string; address: string; vatNumber: string }

/** A firm with all that its legal pages say of it. */
export type Firm = FirmParticulars & { name: string; office: string; vatNumber: string }

export const firmOf = (particulars: FirmParticulars, { name, address, vatNumber }: Seller): Firm => ({
  ...particulars,
  name,
  office: address.replace(/\s*\n\s*/g, ', '),
  vatNumber,
})

/** What stands in the texts for each particular that is not filled in. */
const gaps: Firm = {
  name: '[company name]',
  office: '[registered office]',
  vatNumber: '[VAT number]',
  number: '[company number]',
  registeredIn: '[part of the United Kingdom]',
  dataRegistration: '[ICO registration number]',
  email: '[email address]',
  hosting: '[hosting company and country]',
  mailService: '[mail company and country]',
}

const isSoleTrader = ({ number }: Firm) => number.toLowerCase() === 'none'

/** The values of {firm.…} in the texts: each particular, or the marked gap where it is blank. */
export function firmValues(firm: Firm): Firm & { identity: string } {
  const said = Object.fromEntries(Object.entries(firm).filter(([, value]) => value !== ''))
  const known = { ...gaps, ...said }
  const { name, number, registeredIn, office } = known
  const identity = isSoleTrader(firm)
    ? `${name}, of ${office}`
    : `${name}, a company registered in ${registeredIn} under number ${number}, with its registered office at ${office}`
  return { ...known, identity }
}

/** What stands at the foot of pages and mails: only what is filled in. */
export function disclosureOf(firm: Firm): string {
  const { name, number, registeredIn, office, vatNumber } = firm
  const hasCompany = number !== '' && !isSoleTrader(firm)
  return [
    name,
    hasCompany && `Company number ${number}${registeredIn && `, registered in ${registeredIn}`}`,
    office && `${hasCompany ? 'Registered office: ' : ''}${office}`,
    vatNumber && `VAT number ${vatNumber}`,
  ]
    .filter(Boolean)
    .join('. ')
}

/** The particulars of `site.json` that are still blank. A sole trader has no register to name. */
export const blankParticulars = (firm: FirmParticulars): (keyof FirmParticulars)[] =>
  (['number', 'registeredIn', 'dataRegistration', 'email', 'hosting', 'mailService'] as const).filter(
    (name) => firm[name] === '',
  )
