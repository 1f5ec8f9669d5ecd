import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import type { Shot } from './camera.ts'

const sheet = { width: 1600, height: 1560, edge: 16, caption: 40 }

/** How wide a screen is drawn, so that its words can be read. */
const columns: Record<number, number> = { 390: 5, 1440: 2 }

type Piece = { shot: Shot; name: string; top: number; height: number; scale: number }

/** A screen taller than a sheet goes on in the next column. */
async function piecesOf(shots: readonly Shot[], width: number, columnWidth: number): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const shot of shots) {
    const { height = 0, width: real = width } = await sharp(shot.file).metadata()
    const scale = columnWidth / real
    const most = Math.floor((sheet.height - sheet.caption) / scale)
    const count = Math.ceil(height / most)
    for (let at = 0; at < count; at += 1) {
      const name = count > 1 ? `${shot.name} (${at + 1} of ${count})` : shot.name
      pieces.push({ shot, name, scale, top: at * most, height: Math.min(most, height - at * most) })
    }
  }
  return pieces
}

function inSheets(pieces: readonly Piece[], perSheet: number): Piece[][][] {
  const sheets: Piece[][][] = []
  let left = 0
  for (const piece of pieces) {
    const height = piece.height * piece.scale + sheet.caption
    if (height > left) {
      const last = sheets.at(-1)
      if (last && last.length < perSheet) last.push([])
      else sheets.push([[]])
      left = sheet.height
    }
    sheets.at(-1)?.at(-1)?.push(piece)
    left -= height
  }
  return sheets
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const figure = ({ shot, name, top, height, scale }: Piece) => `<figure>
  <div style="height:${Math.round(height * scale)}px"><img src="${pathToFileURL(shot.file)}" style="margin-top:-${Math.round(top * scale)}px"></div>
  <figcaption>${escaped(name)}</figcaption></figure>`

const style = (columnWidth: number) => `
  body { margin: 0; padding: ${sheet.edge}px; display: flex; gap: ${sheet.edge}px; background: #888; width: max-content }
  section { width: ${columnWidth}px } figure { margin: 0 } div { overflow: hidden } img { width: 100%; display: block }
  figcaption { height: ${sheet.caption}px; overflow: hidden; font: 700 14px/18px sans-serif; color: #000; overflow-wrap: anywhere }`

/** The sheets of one width and theme, as `dist/screens/390-light-01.jpg`. Answers how many. */
export async function writeSheets(
  browser: Browser,
  folder: string,
  { shots, width }: { shots: readonly Shot[]; width: number },
): Promise<number> {
  const perSheet = columns[width] ?? 2
  const columnWidth = Math.floor((sheet.width - sheet.edge * (perSheet + 1)) / perSheet)
  const sheets = inSheets(await piecesOf(shots, width, columnWidth), perSheet)
  const page = await browser.newPage({ viewport: { width: sheet.width, height: sheet.height + 2 * sheet.edge } })
  const html = join(folder, 'shots', `sheet-${width}.html`)
  for (const [at, parts] of sheets.entries()) {
    const body = parts.map((part) => `<section>${part.map(figure).join('')}</section>`).join('')
    writeFileSync(html, `<!doctype html><meta charset="utf-8"><style>${style(columnWidth)}</style>${body}`)
    await page.goto(pathToFileURL(html).href)
    const file = `${width}-${shots[0]?.theme}-${String(at + 1).padStart(2, '0')}.jpg`
    await page.screenshot({ path: join(folder, file), type: 'jpeg', quality: 85 })
  }
  await page.close()
  return sheets.length
}
