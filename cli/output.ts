import { stripVTControlCharacters } from 'node:util'
import { cleanJson } from './clean.ts'
import type { SharedOptions } from './client.ts'
import { type Sheet, toCsv } from './csv.ts'
import { type Io, write } from './io.ts'

/** What a command has to show, in each form; only the one that is wanted gets made. */
export type Report = {
  /** The API's answer. */
  answer: unknown
  sheet(): Sheet
  text(): string
  /** For a terminal of that many columns. Without one the text does. */
  view?(columns: number): Promise<string>
}

export type Format = 'json' | 'csv' | 'view' | 'text'

export function formatOf(io: Io, { json, csv }: SharedOptions): Format {
  if (json) return 'json'
  if (csv) return 'csv'
  return io.isTTY.stdout && io.env.TERM !== 'dumb' ? 'view' : 'text'
}

export async function print(io: Io, options: SharedOptions, report: Report): Promise<void> {
  await write(io.stdout, await textOf(io, formatOf(io, options), report))
}

async function textOf(io: Io, format: Format, report: Report): Promise<string> {
  if (format === 'json') return `${cleanJson(JSON.stringify(report.answer, null, 2))}\n`
  if (format === 'csv') return toCsv(report.sheet())
  if (format === 'text' || report.view === undefined) return report.text()
  const drawn = `${await report.view(io.columns)}\n`
  return io.env.NO_COLOR ? stripVTControlCharacters(drawn) : drawn
}

/** Whether a program reads the answer: then there is no talk beside it that the answer already says. */
export const isForScript = (options: SharedOptions) => options.json === true || options.csv === true
