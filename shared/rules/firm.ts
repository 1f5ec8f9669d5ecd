import type { Brand } from '#shared/contract/site-content.ts'

export type Seller = { name: string; address: string; vatNumber: string }

/**
 * What the law asks a firm to publish about itself. Anything not set is empty. `number` is the company number, or "none" for a sole
 * trader; `dataRegistration` is the ICO's registration number.
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

export function firmValues(firm: Partial<Firm>): Firm & { identity: string } {
  const said = Object.fromEntries(Object.entries(firm).filter(([, value]) => value !== ''))
  const known = { ...gaps, ...said }
  const { name, number, registeredIn, office } = known
  const identity = isSoleTrader(firm)
    ? `${name}, of ${office}`
    : `${name}, a company registered in ${registeredIn} under number ${number}, with its registered office at ${office}`
  return { ...known, identity }
}

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

/** The firm's own contact details, next to its coaches'. Leaves out anything not set. */
export const toFirmContacts = ({ phone, messenger, email }: Brand): { label: string; href: string }[] =>
  [
    { label: `Call ${phone}`, href: phone && `tel:${phone.replace(/[^+\d]/g, '')}` },
    { label: 'Message us', href: messenger },
    { label: email, href: email && `mailto:${email}` },
  ].filter(({ href }) => href !== '')
