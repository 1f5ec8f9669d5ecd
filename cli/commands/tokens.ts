import { usageError } from '#cli/exit-codes.ts'
import { dayLabel, emptyLabel, timeLabel } from '#cli/labels.ts'
import { linkOutput } from '#cli/output.ts'
import { parseArgument, request, requestPage, requireText } from '#cli/request.ts'
import { actRow, type CommandRow, changeRow, listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import type { TokenScope } from '#shared/contract/auth.ts'
import {
  type AdminSession,
  AdminSessionList,
  ApiToken,
  ApiTokenRequest,
  RevokeSessionsResponse,
} from '#shared/contract/sessions.ts'
import { plural } from '#shared/rules/plural.ts'

const tokensTable: Table<AdminSession> = {
  title: 'Tokens',
  empty: 'No tokens.',
  columns: [
    { title: 'ID', text: ({ id }) => id },
    { title: 'NAME', text: ({ name }) => name ?? emptyLabel, minWidth: 10 },
    {
      title: 'SCOPES',
      text: ({ scopes }) => scopes?.map((scope) => scopeLabels[scope]).join(', ') ?? 'all',
      dropOrder: 2,
    },
    { title: 'OWNER', text: ({ email }) => email, minWidth: 16, dropOrder: 1 },
    { title: 'LAST SEEN', text: ({ lastSeenAt }) => timeLabel(lastSeenAt), dropOrder: 3 },
    { title: 'EXPIRES', text: ({ expiresAt }) => dayLabel(expiresAt) },
  ],
  csv: [
    ...csvFields(['id', 'name', 'email', 'createdAt', 'lastSeenAt', 'expiresAt']),
    { name: 'scopes', cell: ({ scopes }) => scopes?.join(' ') ?? null },
  ],
}

/** The browser's names: a token can read, or read and change. */
const scopeLabels: Record<TokenScope, string> = { read: 'read', write: 'change', files: 'files' }

function scopeNamed(given: string): string {
  const word = given.trim()
  if (word !== 'read' && word !== 'change' && word !== 'write' && word !== 'files') {
    throw usageError(`--scopes takes read, change and files, with commas between them, not ${word}.`)
  }
  return word === 'change' ? 'write' : word
}

/** Prints the token in its sentence only. In a list it would end up in logs. */
const createRow = actRow({
  usage: 'create <name>',
  description: 'Create an API token on a server you’re logged in to (shown only once)',
  options: [
    [
      '--scopes <scopes>',
      'what it may do: read, change or files (the accountant’s files, with no password asked). Default: read',
    ],
    ['--days <count>', 'days until it expires, up to 365 (default: 90)'],
  ],
  examples: ['create Books --days 365 --api https://example.com'],
  act({ argument, option }) {
    const scopes = (option('scopes') ?? 'read').split(',').map(scopeNamed)
    const days = Number(option('days') ?? '90')
    if (!Number.isInteger(days)) throw usageError('--days takes a whole number, 1 to 365.')
    const body = parseArgument(ApiTokenRequest, { name: argument(0), scopes, days })
    return async ({ api }) => {
      const token = await request(ApiToken, api.admin.tokens.post(body))
      return linkOutput(token, token.token, token)
    }
  },
})

export const tokenRows: readonly CommandRow[] = [
  createRow,
  listRow({
    usage: 'list',
    description: 'List valid tokens, for terminals and programs',
    examples: ['list'],
    table: tokensTable,
    pages:
      () =>
      ({ api }, query) =>
        requestPage(AdminSessionList, api.admin.sessions.get({ query: { ...query, kind: 'terminal' } })),
  }),
  changeRow({
    usage: 'revoke <id>',
    description: 'Revoke a token',
    examples: ['revoke 3f1c9a --yes'],
    asks: true,
    plan: ({ argument }) => {
      const id = requireText(argument(0), 'Enter a token’s ID. "alliance tokens list" shows them.')
      const facts = { id }
      return async () => ({
        facts,
        output: linkOutput(facts, `Would revoke ${id}.`, facts),
        question: `Revoke the token ${id}?`,
      })
    },
    apply:
      (_call, { id }) =>
      async ({ api }) => {
        const { revoked } = await request(RevokeSessionsResponse, api.admin.sessions.revoke.post({ id }))
        return { sentence: `${plural(revoked, 'token')} ended.`, record: { revoked } }
      },
  }),
]

export const registerTokens = registersRows(tokenRows)
