import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Pence, vatRate } from '#shared/rules/money.ts'
import { type Block, greeting, type Letter, words } from './frame.ts'

export type Welcome = {
  firstName: string | null
  tierName: string
  membersUrl: string
  /** Null where a password is set already. */
  setPasswordUrl: string | null
  /** What the membership costs each month. */
  net: Pence
  vat: Pence
  total: Pence
  /** A day or an instant of the billing clock. */
  nextPaymentOn?: string | undefined
}

export function welcomeMail(welcome: Welcome): Letter {
  const { tierName, membersUrl, setPasswordUrl } = welcome
  const entrance: Block[] =
    setPasswordUrl === null
      ? [{ kind: 'button', label: "Open the members' area", url: membersUrl }]
      : [
          words("Set a password, so that you can get back in from any phone. The members' area opens after that."),
          { kind: 'button', label: 'Set your password', url: setPasswordUrl },
          words(`The members' area is at ${membersUrl}`),
        ]
  return {
    subject: 'Your membership is active',
    heading: `${greeting(welcome.firstName)} you are in`,
    blocks: [
      words(`Your ${tierName} membership is active.`),
      ...entrance,
      { kind: 'rows', rows: costRows(welcome) },
      words('Your VAT invoices are under Billing. You can cancel there too: it stops the next payment.'),
      {
        kind: 'steps',
        steps: ['Keep this email.', 'Join the community.', 'Come to your first weekly call.'],
      },
    ],
  }
}

function costRows({ net, vat, total, nextPaymentOn }: Welcome): (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [
    ['Each month, net', formatPoundsAndPence(net)],
    [`VAT ${vatRate}%`, formatPoundsAndPence(vat)],
    ['Total each month', formatPoundsAndPence(total)],
  ]
  return nextPaymentOn === undefined ? rows : [...rows, ['Next payment', formatLongDate(nextPaymentOn)]]
}
