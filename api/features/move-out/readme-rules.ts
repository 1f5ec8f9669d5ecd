import type { ExportedTable } from './exported-rules.ts'
import { exportedTables } from './tables-rules.ts'

/** What's in the ZIP, in the words of the one table of columns. */
export function readmeOf({ siteName, madeAt }: { siteName: string; madeAt: string }): string {
  const [back, out] = [
    exportedTables.filter(({ row }) => row !== null),
    exportedTables.filter(({ row }) => row === null),
  ]
  return [
    `# ${siteName}: everything`,
    `Made on ${madeAt}. Each list is there twice: as CSV for a spreadsheet (folder csv) and as JSON for a program (folder json).`,
    'Passwords, logins and card details are in none of them. Times are UTC, money is in pence.',
    'In the CSV, a cell that a spreadsheet would run as a formula begins with an apostrophe. The JSON has it as it is.',
    '## What another site takes in',
    'Run `alliance import all FILE.zip` there. Members set a new password with “Forgot password”.',
    ...back.map(sectionOf),
    '## Money',
    'This is for your books. It comes back from Stripe and from backups.',
    ...out.map(sectionOf),
    '',
  ].join('\n\n')
}

function sectionOf({ name, about, columns }: ExportedTable): string {
  const lines = Object.entries(columns).map(([column, what]) => `| ${column} | ${what} |`)
  return [`### ${name}`, about, ['| Column | What it is |', '| --- | --- |', ...lines].join('\n')].join('\n\n')
}
