import type { Brand } from '#shared/contract/site-content.ts'

/** Who sells, as the settings say; what nobody has set is empty. */
export type Seller = { name: string; address: string; vatNumber: string }

/**
 * What the law asks a firm to say of itself; what is not set is empty. `number` is that of the company, or "none" for a sole
 * trader; `dataRegistration` is the number that the ICO gave.
 */
export type Firm = {
  name: string
  office: string
  vatNumber: string
  number: string
  registeredIn: string
  dataRegistration: string
  email: string
  hosting: string
  mailService: string
}

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
  mailService: '[email company and country]',
}

const isSoleTrader = ({ number }: Partial<Firm>) => number?.toLowerCase() === 'none'

/** The values of {firm.…} in the texts: each particular, or the marked gap where it is blank. */
export function firmValues(firm: Partial<Firm>): Firm & { identity: string } {
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

/** How the firm itself is reached, beside its coaches: what is not set is left out. */
export const toFirmContacts = ({ phone, messenger, email }: Brand): { label: string; href: string }[] =>
  [
    { label: `Call ${phone}`, href: phone && `tel:${phone.replace(/[^+\d]/g, '')}` },
    { label: 'Message us', href: messenger },
    { label: email, href: email && `mailto:${email}` },
  ].filter(({ href }) => href !== '')
