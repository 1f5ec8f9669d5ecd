import type { Values } from '#cli/machine/setup-checks.ts'

/** Checks that have to ask someone else's system. */
export const checkNames = ['domain', 'stripe', 'mail', 'backups'] as const
export type CheckName = (typeof checkNames)[number]

export type Question = {
  name: string
  text: string
  isSecret?: true
  preset?(values: Values): string
  isOptional?(values: Values): boolean
  /** Undefined: always. */
  isAsked?(values: Values): boolean
  check?: CheckName
}

/** Where backups are also kept, which only `BACKUP_KEY` opens. */
export const hasSecondPlace = ({ BACKUP_URL: url = '' }: Values) => url !== ''

const isLive = ({ STRIPE_SECRET_KEY: key = '' }: Values) => /^(sk|rk)_live_/.test(key)

export const questions: readonly Question[] = [
  { name: 'PUBLIC_URL', text: 'Address of the site, such as https://alliance.example', check: 'domain' },
  { name: 'OWNER_EMAILS', text: 'Owners’ email addresses, separated by commas' },
  { name: 'STRIPE_PUBLISHABLE_KEY', text: 'Stripe publishable key (pk_…)' },
  { name: 'STRIPE_SECRET_KEY', text: 'Stripe secret key (sk_…)', isSecret: true, check: 'stripe' },
  { name: 'SELLER_NAME', text: 'Registered business name', isOptional: (values) => !isLive(values) },
  { name: 'SELLER_ADDRESS', text: 'Its address, on one line', isOptional: (values) => !isLive(values) },
  { name: 'SELLER_VAT_NUMBER', text: 'Its VAT number', isOptional: (values) => !isLive(values) },
  {
    name: 'MAIL_FROM',
    text: 'Sender of your emails',
    preset: ({ OWNER_EMAILS: owners = '' }) => `The Alliance <${owners.split(',')[0]?.trim()}>`,
  },
  {
    name: 'SMTP_URL',
    text: 'Mail server, such as smtp://user:password@mail.example:587',
    isSecret: true,
    check: 'mail',
  },
  { name: 'DATA_DIR', text: 'Data folder', preset: () => 'data/live' },
  {
    name: 'BACKUP_URL',
    text: 'A second place for backups, s3://bucket/folder?endpoint=https://… (Enter for none)',
    isOptional: () => true,
  },
  { name: 'S3_ACCESS_KEY_ID', text: 'Its access key', isAsked: hasSecondPlace },
  { name: 'S3_SECRET_ACCESS_KEY', text: 'Its secret key', isSecret: true, isAsked: hasSecondPlace, check: 'backups' },
]

/** What else a public site needs, without anyone having to choose. */
export const fixedValues = (owners: string): Values => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  TRUSTED_PROXIES: '127.0.0.1',
  SIMPLE_ADMIN_EMAIL: owners.split(',')[0]?.trim() ?? '',
})
