import { startWorld } from '#api/testing/world.ts'
import { startSession } from '#api/features/auth/sessions.ts'
const world = startWorld({ env: { PORT: '4599' } })
Object.assign(world.ctx, { now: () => new Date() })
const videos = world.addVideos().filter((v) => v.isPublished && v.tierAccess.includes('lite')).map((v) => v.id)
const danny = world.addMember({ tier: 'lite' }), priya = world.addMember({ tier: 'lite' })
const js = await Bun.file('/tmp/psync/smoke/app.js').text()
Bun.serve({ port: 4599, hostname: '127.0.0.1', fetch: async (r) => {
  const path = new URL(r.url).pathname
  if (path === '/') return new Response('<!doctype html><script type=module src=/app.js></script>', { headers: { 'content-type': 'text/html' } })
  if (path === '/app.js') return new Response(js, { headers: { 'content-type': 'text/javascript' } })
  if (path === '/facts') return Response.json({ videos, danny, priya })
  if (path.startsWith('/login/')) { const p = path.endsWith('danny') ? danny : priya; return new Response('ok', { headers: { 'set-cookie': startSession(world.ctx, p.id) } }) }
  if (path === '/stored') return Response.json(world.ctx.sqlite.prepare('select userId, videoId, completed from video_progress').all())
  if (path === '/applied') return Response.json(world.ctx.sqlite.prepare('select count(*) as n from applied_changes').get())
  return world.app.handle(r)
} })
console.log('up')
