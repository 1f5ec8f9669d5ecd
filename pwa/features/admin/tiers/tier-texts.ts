import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import type { AdminTier, TierRequest, TierVisibility } from '#shared/contract/admin-tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export const visibilityLabels: Record<TierVisibility, string> = {
  open: 'Everyone',
  invitation: 'Everyone, marked “by invitation”',
  hidden: 'No one (not on sale)',
}

export const valuesOfTier = ({ name, description, features, visibility, version }: AdminTier): FormValues => ({
  ...{ name, description, visibility },
  features: features.join('\n'),
  version: String(version),
})

/** The contract refuses unknown fields, and the form also holds the row’s version. */
export const readTierForm = ({ name, description, visibility, features = '' }: FormValues) => ({
  ...{ name, description, visibility },
  features: features.split(/\r?\n/).filter((line) => line.trim() !== ''),
})

export const tierFields: readonly (readonly [label: string, text: (tier: TierRequest) => string])[] = [
  ['Name', ({ name }) => name],
  ['Description', ({ description }) => description],
  ['What they get', ({ features }) => features.join('\n')],
  ['Who sees it', ({ visibility }) => visibilityLabels[visibility]],
]

/** `net`: pence a month. */
export const monthlyText = (net: number) => `${formatPoundsAndPence(net)} + VAT`
