import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { inboxRows } from '#cli/inbox-rows.ts'
import { fullName } from '#cli/labels.ts'
import { linkOutput, recordSheet, sectionsOutput } from '#cli/output.ts'
import { parseArgument, request, withoutUnset } from '#cli/request.ts'
import { changeRow, showRow } from '#cli/rows.ts'
import { AdminMemberDetail, NewMemberRequest } from '#shared/contract/members.ts'
import { memberNamed } from './list.ts'

const add = changeRow<NewMemberRequest>({
  usage: 'add <email>',
  description: 'Make an account for somebody; nothing is emailed or charged',
  options: [
    ['--first-name <name>', 'their first name'],
    ['--last-name <name>', 'their last name'],
    ['--phone <number>', 'their telephone'],
    ['--business <name>', 'their business'],
    ['--trade <trade>', 'their trade'],
  ],
  examples: ['add sam@example.com --first-name Sam --last-name Field'],
  plan(call) {
    const given = {
      email: call.argument(0),
      firstName: call.option('firstName'),
      lastName: call.option('lastName'),
      phone: call.option('phone'),
      businessName: call.option('business'),
      trade: call.option('trade'),
    }
    const facts = parseArgument(NewMemberRequest, withoutUnset(given))
    const output = sectionsOutput({ json: facts, csv: () => recordSheet(facts) }, [])
    return async () => ({ facts, output, question: `Make an account for ${facts.email}?` })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const { id, email } = await request(AdminMemberDetail, api.admin.members.post(body))
      const next = `Next: alliance members invite ${email} standard, or members free. Without either it is removed after 30 days.`
      return { sentence: `${email} has an account. ${next}`, record: { id, email } }
    },
})

const open = showRow({
  usage: 'open <id-or-email>',
  description: 'Print the address of a member’s page in the admin area',
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

type Exported = { id: string; name: string; email: string; file: string }

const exportRow = changeRow<Exported>({
  usage: 'export <id-or-email> <file>',
  description: 'Write all that is held about a member into a ZIP, for a member who asks for their data',
  examples: ['export sam@example.com sam.zip'],
  plan(call) {
    const read = memberNamed(call.argument(0))
    const file = resolve(call.io.cwd, call.argument(1))
    return async (client) => {
      const member = await read(client)
      const facts = { id: member.id, name: fullName(member), email: member.email, file }
      return { facts, output: sectionsOutput({ json: facts, csv: () => recordSheet(facts) }, []), question: '' }
    }
  },
  apply:
    (_call, { id, email, file }) =>
    async ({ api }) => {
      const bytes = await request(v.instance(Uint8Array), api.admin.members({ memberId: id }).archive.post())
      try {
        writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' })
      } catch (error) {
        const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
        const why = isThere ? 'There is a file of that name already. Name another one.' : 'It cannot be written.'
        throw new CliError(exitCodes.failed, `${file}: ${why}`)
      }
      return {
        sentence: `${file} holds all that is known of ${email}.`,
        record: { id, email, file, bytes: bytes.length },
      }
    },
})

const notes = inboxRows({
  kind: () => 'members',
  argument: 'id-or-email',
  example: 'sam@example.com',
  find: (call) => {
    const read = memberNamed(call.argument(0))
    return async (client) => {
      const member = await read(client)
      return { id: member.id, name: fullName(member), email: member.email }
    }
  },
})

export const memberAccountRows = [add, open, exportRow, ...notes]
