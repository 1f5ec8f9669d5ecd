import { expiryLabel } from '#cli/labels.ts'
import { csvOfRecord, linkOutput, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { type Call, changeRow, registersRows } from '#cli/rows.ts'
import { OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import { FactorReset } from '#shared/contract/sign-in.ts'

const ownerOf = ({ argument }: Call) => parseArgument(OwnerLinkRequest, { email: argument(0) })

const planned = (facts: { email: string }, then: string, question: string | null) => ({
  ...{ facts, question },
  output: sectionsOutput({ json: facts, csv: () => csvOfRecord(facts) }, [
    {
      title: 'Plan',
      details: [
        { label: 'Owner', value: facts.email },
        { label: 'Then', value: then },
      ],
    },
  ]),
})

const link = changeRow({
  usage: 'link <email>',
  description: 'Create a one-time link for an owner to set a password',
  examples: ['link olive@example.com'],
  plan(call) {
    const facts = ownerOf(call)
    return async () => planned(facts, 'a link to set the password is printed', null)
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const link = await request(OwnerLink, api.admin.owners.link.post(body))
      const { email, url, expiresAt } = link
      const notes = [`Works once, until ${expiryLabel(expiresAt)}, and sets the password of ${email}.`]
      return { ...linkOutput(link, url, { email, url, expiresAt }), notes }
    },
})

const resetFactor = changeRow({
  usage: 'reset-second-factor <email>',
  description: 'Reset an owner’s lost two-step login (on this machine only)',
  examples: ['reset-second-factor olive@example.com --dry-run', 'reset-second-factor olive@example.com'],
  asks: true,
  plan(call) {
    const facts = ownerOf(call)
    const question = `Remove the authenticator app, recovery codes and passkeys of ${facts.email}, and log them out everywhere?`
    return async () => planned(facts, 'no two-step login, and no logins', question)
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const record = await request(FactorReset, api.admin.owners['second-factor-reset'].post(body))
      const sentence = `${record.email} logs in with just the password, and can set up two-step login again.`
      return { sentence, record }
    },
})

export const ownerRows = [link, resetFactor]

export const registerOwners = registersRows(ownerRows)
