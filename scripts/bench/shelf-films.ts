import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { openContext } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { videoFiles } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { storeMedia } from '#api/features/media/store-service.ts'
import { readSettings } from '#api/settings.ts'
import { mediaAddress } from '#shared/values/media.ts'
import { root } from './programs.ts'

export type BenchFilm = { title: string; slug: string; sha256: string; address: string; bytes: number }

/** Gives the first two videos of the list a film each: one to play, and a large one to fetch. */
export async function addFilms(dataDir: string, videoIds: readonly string[], sizes: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-films-'))
  const ctx = openContext(readSettings({ DATA_DIR: dataDir }))
  try {
    const films: BenchFilm[] = []
    for (const [index, bytes] of sizes.entries()) {
      const path = join(folder, `${index}.mp4`)
      writeFilm(path, bytes)
      const row = await storeMedia(ctx, Bun.file(path), { name: `film-${index}.mp4`, isPublic: false })
      const videoId = videoIds[index] ?? ''
      ctx.db.delete(videoFiles).where(eq(videoFiles.videoId, videoId)).run()
      insertRow(ctx, videoFiles, { videoId, mediaId: row.id, position: 0 })
      const at = ctx.now().toISOString()
      const title = `Film ${index}`
      const slug = `film-${index}`
      ctx.db.update(memberVideos).set({ title, slug, updatedAt: at }).where(eq(memberVideos.id, videoId)).run()
      films.push({
        title,
        slug,
        sha256: row.sha256,
        bytes: row.bytes,
        address: mediaAddress({ ...row, isPublic: false }),
      })
    }
    return films
  } finally {
    ctx.sqlite.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A clip that plays, made as large by a box of noise that players skip. */
function writeFilm(path: string, bytes: number): void {
  const clip = readFileSync(join(root, 'data/seed/media/lesson-van.mp4'))
  const noise = bytes - clip.length - 8
  const head = Buffer.alloc(8)
  head.writeUInt32BE(noise + 8)
  head.write('free', 4)
  writeFileSync(path, Buffer.concat([clip, head]))
  const block = crypto.getRandomValues(new Uint8Array(65_536))
  const parts = Buffer.concat(Array.from({ length: 64 }, () => block))
  for (let left = noise; left > 0; left -= parts.length) {
    // Each block differs, so that no piece is like another.
    parts.writeUInt32BE(left, 0)
    appendFileSync(path, parts.subarray(0, Math.min(left, parts.length)))
  }
}
