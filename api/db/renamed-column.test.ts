import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Two columns of each of ten tables: by name of the table's constant. */
const columns: readonly [file: string, table: string, column: string][] = [
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

const copy = mkdtempSync(join(tmpdir(), 'alliance-renamed-'))
const isProduct = (path: string) => !/\.test\.tsx?$|\/testing(\/|$)|^(api\/sandbox)/.test(path)

/** Files that import a table, and whatever those import: nobody else can name a column. */
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
  const tsconfig = { compilerOptions: { ...compilerOptions, incremental: false }, files: sources }
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify(tsconfig))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function filesWithErrors(): Set<string> {
  const { stdout } = spawnSync(
    'node',
    ['node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1', '--pretty', 'false'],
    {
      cwd: copy,
      encoding: 'utf8',
    },
  )
  return new Set([...stdout.matchAll(/^([^(\s]+)\(\d+,\d+\): error/gm)].map(([, path = '']) => path))
}

/** What the compiler reports once the column has another name in the schema, and nowhere else. */
function renameAndCompile([file, table, column]: (typeof columns)[number]): Set<string> {
  const path = `api/db/schema/${file}.ts`
  const text = readFileSync(path, 'utf8')
  const start = text.indexOf(`export const ${table} = sqliteTable(`)
  const renamed = text.slice(start).replace(new RegExp(`\\b${column}:`), `renamed${column}:`)
  expect(renamed).not.toBe(text.slice(start))
  writeFileSync(join(copy, path), text.slice(0, start) + renamed)
  const broken = filesWithErrors()
  writeFileSync(join(copy, path), text)
  return broken
}

/** Product files that name the column of the table, other than where it is declared. */
const usersOf = ([file, table, column]: (typeof columns)[number]): string[] =>
  sources.filter((path) => {
    if (path === `api/db/schema/${file}.ts`) return false
    const text = readFileSync(path, 'utf8')
    return new RegExp(`\\b${table}\\.${column}\\b`).test(text)
  })

test.each(process.env.FULL ? columns : columns.slice(0, 1))(
  'renaming a column fails to compile wherever it is used: %s.ts, %s.%s',
  (...column) => {
    const users = usersOf(column)
    expect(users.length).toBeGreaterThan(0)
    const broken = renameAndCompile(column)
    expect(users.filter((path) => !broken.has(path))).toEqual([])
    // More would mean that the copy does not compile at all.
    expect(broken.size).toBeLessThan(sources.length / 2)
  },
  120_000,
)
