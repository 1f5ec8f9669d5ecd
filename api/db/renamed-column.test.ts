// @module-tag full
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

type Column = readonly [file: string, table: string, column: string]

const columns: readonly Column[] = [
  ['subscriptions', 'subscriptions', 'currentPeriodEnd'],
  ['subscriptions', 'subscriptions', 'cancelAtPeriodEnd'],
  ['subscriptions', 'purchaseAttempts', 'closedAt'],
  ['subscriptions', 'purchaseAttempts', 'request'],
  ['people', 'users', 'passwordHash'],
  ['people', 'users', 'accessOverride'],
  ['customers', 'customers', 'formerUserId'],
  ['customers', 'customers', 'ticketWritten'],
  ['provider', 'providerInvoices', 'billingReason'],
  ['provider', 'providerInvoices', 'amountRefunded'],
  ['provider', 'providerRefunds', 'providerInvoiceId'],
  ['provider', 'providerRefunds', 'created'],
  ['invoices', 'invoices', 'taxPoint'],
  ['invoices', 'invoices', 'replacesId'],
  ['invoices', 'creditNotes', 'providerRefundId'],
  ['invoices', 'creditNotes', 'kind'],
  ['commission', 'commissionLedger', 'paymentMonth'],
  ['commission', 'commissionLedger', 'isSettlement'],
  ['mail', 'mailOutbox', 'nextAttemptAt'],
  ['mail', 'mailOutbox', 'cause'],
]

/** Compiling the whole product takes half a minute. The one file that names this column takes a few seconds. */
const renamed = process.env.FULL ? columns : columns.filter(([, , column]) => column === 'isSettlement')

const copy = mkdtempSync(join(tmpdir(), 'alliance-renamed-'))
const isProduct = (path: string) => !/\.test\.tsx?$|\/testing(\/|$)|^(api\/sandbox)/.test(path)

/** Files that import a table, and whatever imports those. No others can name a column. */
const sources = ['api', 'cli', 'shared', 'data'].flatMap((area) =>
  readdirSync(area, { recursive: true, encoding: 'utf8' })
    .map((path) => `${area}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && isProduct(path))
    .filter((path) => readFileSync(path, 'utf8').includes('/schema/')),
)

beforeAll(() => {
  for (const area of ['api', 'cli', 'shared', 'data/seed', 'data/content'])
    cpSync(area, join(copy, area), { recursive: true })
  mkdirSync(join(copy, 'pwa'))
  cpSync('package.json', join(copy, 'package.json'))
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'))
  const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
  const files = process.env.FULL ? sources : renamed.flatMap(usersOf)
  const tsconfig = { compilerOptions: { ...compilerOptions, incremental: false }, files }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(tsconfig))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function compile(): Map<string, string> {
  const { stdout } = spawnSync(
    'node',
    ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '--pretty', 'false'],
    { cwd: copy, encoding: 'utf8' },
  )
  const said = new Map<string, string>()
  for (const [, path = '', error = ''] of stdout.matchAll(/^([^(\s]+)\(\d+,\d+\): (error.*)/gm))
    said.set(path, `${said.get(path) ?? ''}${error}\n`)
  return said
}

const schemaOf = ([file]: Column) => `api/db/schema/${file}.ts`

function rename(): void {
  for (const column of renamed) {
    const path = join(copy, schemaOf(column))
    const text = readFileSync(path, 'utf8')
    const start = text.indexOf(`export const ${column[1]} = sqliteTable(`)
    const changed = text.slice(start).replace(new RegExp(`\\b${column[2]}:`), `renamed${column[2]}:`)
    expect(changed).not.toBe(text.slice(start))
    writeFileSync(path, text.slice(0, start) + changed)
  }
}

/** Product files that use the table's column, apart from its declaration. */
const usersOf = (column: Column): string[] =>
  sources.filter((path) => {
    if (path === schemaOf(column)) return false
    const text = readFileSync(path, 'utf8')
    return new RegExp(`\\b${column[1]}\\.${column[2]}\\b`).test(text)
  })

// We rename them all in one go, since compiling takes ten seconds. Each file must fail for each column it names.
test('renaming a column fails to compile wherever it is used', () => {
  if (process.env.FULL) expect([...compile().keys()]).toEqual([])
  rename()
  const said = compile()
  for (const column of renamed) {
    const users = usersOf(column)
    expect([column, users.length > 0]).toEqual([column, true])
    const missing = `Property '${column[2]}' does not exist`
    expect([column, users.filter((path) => !said.get(path)?.includes(missing))]).toEqual([column, []])
  }
})
