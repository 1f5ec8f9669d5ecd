import type { Pence } from '../rules/money.ts'

/** The set-up packages of the quoting system. */
export const quotientPackages = ['professional', 'master'] as const
export type QuotientPackage = (typeof quotientPackages)[number]

/** `net` is pence excluding VAT: what is charged. `price` says the same in words. */
export type QuotientSetup = { key: QuotientPackage; name: string; net: Pence; price: string; features: string[] }

export const quotientSetups: Record<QuotientPackage, QuotientSetup> = {
  professional: {
    key: 'professional',
    name: 'Professional Setup',
    net: 45_000,
    price: '£450 + VAT (£540 total)',
    features: [
      '1 Combi to Combi template',
      '1 Convert to Combi template',
      '1 Heat Only template',
      '1 Boiler Relocation template',
      '1 Boiler Repair template',
      '1 Smart Thermostat template',
      '1 System Flushing template',
      'Account setup and branding',
      '1-hour training session',
    ],
  },
  master: {
    key: 'master',
    name: 'Master Setup',
    net: 75_000,
    price: '£750 + VAT (£900 total)',
    features: [
      '2 Combi to Combi templates',
      '2 Convert to Combi templates',
      '2 Heat Only templates',
      '1 Boiler Relocation template',
      '1 Boiler Repair template',
      '1 Smart Thermostat template',
      '1 System Flushing template',
      '1 Radiator Change template',
      '30-minute sales strategy call',
      'Account setup and branding',
    ],
  },
}
