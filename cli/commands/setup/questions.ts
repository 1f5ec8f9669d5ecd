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
  /** The answer as it's meant, however it's typed. */
  complete?(typed: string): string
}

/** Where backups are also kept, which only `BACKUP_KEY` opens. */
export const hasSecondPlace = ({ BACKUP_URL: url = '' }: Values) => url !== ''

export const isLive = ({ STRIPE_SECRET_KEY: key = '' }: Values) => /^(sk|rk)_live_/.test(key)

/** A demo: the sandbox takes the payments and keeps the emails, so it needs no one else's keys. */
export const isDemo = ({ ALLOW_SANDBOX: allowed, STRIPE_SECRET_KEY: key = '' }: Values) => allowed === '1' && key === ''

const isReal = (values: Values) => !isDemo(values)
const isNotLive = (values: Values) => !isLive(values)

export const questions: readonly Question[] = [
  {
    name: 'PUBLIC_URL',
    text: 'Address of the site, such as https://alliance.example',
    check: 'domain',
    complete: (typed) => (/^[\w-]+(\.[\w-]+)+$/.test(typed) ? `https://${typed}` : typed),
  },
  { name: 'OWNER_EMAILS', text: 'Owners’ email addresses, separated by commas' },
  { name: 'STRIPE_PUBLISHABLE_KEY', text: 'Stripe publishable key (pk_…)', isAsked: isReal },
  { name: 'STRIPE_SECRET_KEY', text: 'Stripe secret key (sk_…)', isSecret: true, isAsked: isReal, check: 'stripe' },
  {
    name: 'STRIPE_MAILS_OFF',
    text: 'Are Stripe’s own renewal emails off? We send ours (yes or no)',
    isAsked: isLive,
    isOptional: () => true,
  },
  { name: 'SELLER_NAME', text: 'Registered business name', isAsked: isReal, isOptional: isNotLive },
  { name: 'SELLER_ADDRESS', text: 'Its address, on one line', isAsked: isReal, isOptional: isNotLive },
  { name: 'SELLER_VAT_NUMBER', text: 'Its VAT number', isAsked: isReal, isOptional: isNotLive },
  {
    name: 'MAIL_FROM',
    text: 'Sender of your emails',
    isAsked: isReal,
    preset: ({ OWNER_EMAILS: owners = '' }) => `The Alliance <${owners.split(',')[0]?.trim()}>`,
  },
  {
    name: 'SMTP_URL',
    text: 'Mail server, such as smtp://user:password@mail.example:587',
    isSecret: true,
    isAsked: isReal,
    check: 'mail',
  },
  // A demo's database can't become a live one, so they don't share a folder.
  { name: 'DATA_DIR', text: 'Data folder', preset: (values) => (isDemo(values) ? 'data/demo' : 'data/live') },
  {
    name: 'BACKUP_URL',
    text: 'A second place for backups, s3://bucket/folder?endpoint=https://… (Enter for none)',
    isAsked: isReal,
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
