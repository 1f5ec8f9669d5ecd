import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { type Io, notify } from '#cli/io.ts'
import { note, print, tableOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { ContentPageState } from '#shared/contract/admin-content.ts'
import { type UnfinishedEntry, UnfinishedList, unfinishedPlace } from '#shared/contract/content-check.ts'
import { SiteContentResponse } from '#shared/contract/page-texts.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { type PriceMention, unknownPriceMentions } from '#shared/rules/price-mentions.ts'
import { isReadyForLive, readinessLine, unfinishedKinds } from '#shared/rules/readiness.ts'
import { priceText } from '#shared/rules/tier-prices.ts'

type Remark = { kind: UnfinishedEntry['kind'] | 'price'; place: string; words: string }

const kinds: Record<Remark['kind'], string> = {
  price: 'no tier has it',
  ...unfinishedKinds,
}

const remarksTable: Table<Remark> = {
  title: 'Content to check',
  empty: 'No samples left, and every monthly price matches a tier.',
  columns: [
    { title: 'WHAT', text: ({ kind }) => kinds[kind], minWidth: 12 },
    { title: 'TEXT', text: ({ words }) => words, minWidth: 12 },
    { title: 'PLACE', text: ({ place }) => place, minWidth: 16 },
  ],
  csv: csvFields(['kind', 'place', 'words']),
}

const ofPrice = ({ place, words }: PriceMention): Remark => ({ kind: 'price', place, words })
const ofEntry = (found: UnfinishedEntry): Remark => ({
  kind: found.kind,
  place: unfinishedPlace(found),
  words: found.says,
})

/** Content that isn't on a page. */
const mailPages = ['mails', 'follow-ups'] as const

/** Exits as failed if the pages leave out a text an owner wrote, and with `--live` if the site still has samples. */
export async function checkContent(io: Io, options: SharedOptions & { live?: true }): Promise<void> {
  const [content, mails, { tiers }, unfinished] = await withClient(
    io,
    options,
    ({ api }) =>
      Promise.all([
        request(SiteContentResponse, api['site-content'].get({ query: {} })),
        Promise.all(mailPages.map((page) => request(ContentPageState, api.admin.content({ page }).get()))),
        request(MembershipTierList, api['membership-tiers'].get()),
        request(UnfinishedList, api.admin.unfinished.get()),
      ]),
    { mayCreate: true },
  )
  const words = { ...content, ...Object.fromEntries(mails.map(({ page, value }) => [page, value])) }
  const remarks = [...unknownPriceMentions(words, tiers).map(ofPrice), ...unfinished.map(ofEntry)]
  await print(io, options, tableOutput(remarksTable, remarks))
  const sold = tiers.map(({ name, prices }) => `${name} ${prices.map(priceText).join(' or ')}`)
  await note(io, options, `Tier prices: ${sold.join(', ')}.`)
  if (unfinished.some(({ kind }) => kind === 'unfit')) {
    await notify(io, 'Where an edit doesn’t fit, the page shows the file’s own text.')
    throw new CliError(exitCodes.failed)
  }
  if (unfinished.some(({ kind }) => kind === 'unset')) await note(io, options, 'Pages leave out what isn’t set.')
  if (options.live && !isReadyForLive(unfinished)) throw new CliError(exitCodes.failed, readinessLine(unfinished))
  await note(io, options, readinessLine(unfinished))
}
