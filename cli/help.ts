import type { Command, Option } from 'commander'

/** Lines to copy, for `addHelpText('after', …)`. */
export const examples = (...lines: string[]) => `\nExamples:\n${lines.map((line) => `  alliance ${line}`).join('\n')}`

/** The page on each group of commands, in the order of `commandGroups`. */
const pages = {
  'Every day': 'docs/terminal.md#every-day',
  Members: 'docs/terminal.md#members',
  Inbox: 'docs/terminal.md#inbox',
  Calendar: 'docs/make-it-yours.md#the-coaches-calendar',
  Money: 'docs/terminal.md#at-months-end',
  Site: 'docs/make-it-yours.md#in-the-terminal',
  Email: 'docs/email.md#when-an-email-doesnt-arrive',
  Logins: 'docs/hosting.md#owners',
  Server: 'docs/terminal.md#when-somethings-wrong',
  Terminal: 'docs/terminal.md#good-to-know',
}

/** At the end of the help of `alliance` itself. */
export const helpFooter = `
Examples:
  alliance members list --csv > members.csv
  alliance members show sam@example.com
  alliance mail list --status refused
  alliance mrr --json --api https://example.com
  alliance commission statement 2026-06 --csv > june.csv
  alliance sandbox advance 31d

Without --api, commands work on the data folder on this machine
(DATA_DIR) with an owner's rights, whether or not the server is running.
With --api or ALLIANCE_API they use that server, as the account that
logged in there. ALLIANCE_TOKEN takes precedence over a saved login.

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 not found,
4 not allowed, 130 cancelled.

Read more, in the site’s folder:
${Object.entries(pages)
  .map(([group, page]) => `  ${group.padEnd(11)}${page}`)
  .join('\n')}`

const formats = ['json', 'csv', 'jq']

export function helpWithoutFormats(command: Command): void {
  const shared = (one: Command): Option[] => (one.parent === null ? [...one.options] : shared(one.parent))
  const visibleGlobalOptions = (one: Command) =>
    shared(one).filter((option) => !formats.includes(option.attributeName()))
  command.configureHelp({ ...command.configureHelp(), visibleGlobalOptions })
}
