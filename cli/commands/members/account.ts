import { resolve } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { personLabel } from '#cli/labels.ts'
import { writeNewFile } from '#cli/new-file.ts'
import { linkOutput, recordOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { actRow, changeRow, showRow } from '#cli/rows.ts'
import { MemberRecord, StripeAddressDecision } from '#shared/contract/member-record.ts'
import { AdminMemberDetail, NewMemberRequest } from '#shared/contract/members.ts'
import { OwnPhoto, photoIdOf } from '#shared/contract/photo.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { memberNamed } from './list.ts'

const add = actRow({
  usage: 'add <email>',
  description: 'Create an account (nothing is emailed or charged)',
  options: [
    ['--first-name <name>', 'their first name'],
    ['--last-name <name>', 'their last name'],
    ['--phone <number>', 'their telephone'],
    ['--business <name>', 'their business'],
    ['--trade <trade>', 'their trade'],
  ],
  examples: ['add sam@example.com --first-name Sam --last-name Field'],
  act(call) {
    const given = {
      email: call.argument(0),
      firstName: call.option('firstName'),
      lastName: call.option('lastName'),
      phone: call.option('phone'),
      businessName: call.option('business'),
      trade: call.option('trade'),
    }
    const body = parseArgument(NewMemberRequest, withoutUnset(given))
    return async ({ api }) => {
      const { id, email } = await request(AdminMemberDetail, api.admin.members.post(body))
      const next = `Next: alliance members invite ${email} standard, or members free. Without either, it’s deleted after 30 days.`
      return { sentence: `${email} has an account. ${next}`, record: { id, email } }
    }
  },
})

const open = showRow({
  usage: 'open <id-or-email>',
  description: 'Print the link to a member’s page in the admin',
  examples: ['open sam@example.com'],
  read: (call) => {
    const member = memberNamed(call.argument(0))
    return async (client, siteUrl) => {
      const { id, email } = await member(client)
      return { id, email, url: `${siteUrl}/admin/members/${id}` }
    }
  },
  output: (found) => linkOutput(found, found.url, found),
})

const exportRow = actRow({
  usage: 'export <id-or-email> <file>',
  description: 'Export everything held about a member to a ZIP, for a data request',
  examples: ['export sam@example.com sam.zip'],
  act({ io, argument }) {
    const member = memberNamed(argument(0))
    const file = resolve(io.cwd, argument(1))
    return async (client) => {
      const { id, email } = await member(client)
      const archive = client.api.admin.members({ memberId: id }).archive
      const zip = await request(v.instance(ReadableStream), archive.post())
      const bytes = await writeNewFile(file, zip)
      return {
        sentence: `${file} has everything we hold on ${email}.`,
        record: { id, email, file, bytes },
      }
    }
  },
})

type Decided = { id: string; name: string; email: string; address: string; counts: StripeAddressDecision['counts'] }

const address = changeRow<Decided>({
  usage: 'address <id-or-email> <stripe-or-ours>',
  description: 'Say which email counts where Stripe has another: theirs becomes the login, or ours goes back to Stripe',
  examples: ['address sam@example.com ours', 'address sam@example.com stripe --dry-run'],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    const { counts } = parseArgument(StripeAddressDecision, { counts: call.argument(1), address: '' }, 'stripe or ours')
    return async (client) => {
      const member = await read(client)
      const { id, email } = member
      const { stripeAddress } = await request(MemberRecord, client.api.admin.members({ memberId: id }).record.get())
      const name = nameOrEmail(member)
      if (stripeAddress === null) throw new CliError(exitCodes.failed, `Stripe has the same address: ${email}.`)
      const facts = { id, name, email, address: stripeAddress, counts }
      const change =
        counts === 'stripe'
          ? `they log in with ${stripeAddress}, and we tell ${email}`
          : `Stripe gets ${email} back, and nothing changes here`
      const details = [
        { label: 'Member', value: personLabel({ name, email }) },
        { label: 'At Stripe', value: stripeAddress },
        { label: 'Then', value: change },
      ]
      const output = recordOutput('Plan', details, facts)
      const question =
        counts === 'stripe' ? `Change ${name}’s email to ${stripeAddress}?` : `Write ${email} back to Stripe?`
      return { facts, output, question }
    }
  },
  apply:
    (_call, { id, counts, address }) =>
    async ({ api }) => {
      const call = api.admin.members({ memberId: id })['stripe-address'].post({ counts, address })
      const { email } = await request(AdminMemberDetail, call)
      return { sentence: `Here and at Stripe it’s ${email}.`, record: { id, email } }
    },
})

type Shown = { id: string; name: string; email: string; photo: string }

const removePhoto = changeRow<Shown>({
  usage: 'remove-photo <id-or-email>',
  description: 'Remove a member’s photo (their activity says so, and they can upload another)',
  examples: ['remove-photo sam@example.com', 'remove-photo sam@example.com --dry-run'],
  asks: true,
  plan(call) {
    const read = memberNamed(call.argument(0))
    return async (client) => {
      const member = await read(client)
      const { id, email, photo } = member
      const name = nameOrEmail(member)
      if (photo === null) throw new CliError(exitCodes.failed, `${personLabel({ name, email })} has no photo.`)
      const facts = { id, name, email, photo }
      const output = recordOutput(
        'Plan',
        [
          { label: 'Member', value: personLabel({ name, email }) },
          { label: 'Now', value: 'a photo only they and the coaches see' },
          { label: 'Then', value: 'no photo, and their activity says who removed it' },
        ],
        facts,
      )
      return { facts, output, question: `Remove the photo of ${personLabel({ name, email })}?` }
    }
  },
  apply:
    (_call, { id, name, email, photo }) =>
    async ({ api }) => {
      const call = api.admin
        .members({ memberId: id })
        .photos({ id: photoIdOf(photo) })
        .delete()
      const { profileImageUrl } = await request(OwnPhoto, call)
      const since = profileImageUrl === null ? '' : ' They’ve uploaded another one since. Look at it first.'
      return { sentence: `The photo of ${name} is removed.${since}`, record: { id, email, hasPhoto: since !== '' } }
    },
})

export const memberAccountRows = [add, open, exportRow, address, removePhoto]
