/** Runs the built site for the browser journeys, on a data folder that is deleted at the end. */
import { mkdirSync, rmSync } from 'node:fs'

const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
if (build.exitCode !== 0) process.exit(build.exitCode)

const dataDir = process.env.DATA_DIR
if (!dataDir) throw new Error('Set DATA_DIR to a folder that does not exist yet: it is deleted at the end.')
mkdirSync(dataDir)
// Only the variables the journeys need: a developer's keys, in .env or exported, mustn't reach this server.
const { PATH, HOME, PORT, SANDBOX_PORT, PUBLIC_URL } = process.env
// Journeys answer these addresses themselves. The other outside pages stay unset.
const outside = 'https://player.alliance.test'
const outsidePages = {
  BOOKING_URL: `${outside}/booking`,
  TRANSFORMATION_VIDEO_URL: `${outside}/transformation`,
  WEBSITE_BUILDS_URL: `${outside}/websites`,
  PODCAST_PLAYER_URL: `${outside}/podcast`,
  SALES_CALL_URL: `${outside}/free-call`,
  SALES_PRICING_URL: `${outside}/prices`,
  SALES_DEMO_VIDEO_URL: `${outside}/demo`,
  COACH_CALL_URLS: `${outside}/calls/1,${outside}/calls/2`,
  CATCH_UP_URLS: `${outside}/catch-ups/1,${outside}/catch-ups/2`,
}
const server = Bun.spawn([process.execPath, '--no-env-file', 'dist/api/main.js'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  // Each journey sends its own IP address in X-Forwarded-For, so none uses up another's rate limit.
  env: {
    PATH,
    HOME,
    PORT,
    SANDBOX_PORT,
    SANDBOX_PEOPLE: 'few',
    PUBLIC_URL,
    DATA_DIR: dataDir,
    // The same pages on a machine that has it and on one that hasn't.
    FFMPEG: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
    EMBED_HOSTS: 'player.alliance.test',
    ...outsidePages,
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
const code = await server.exited
rmSync(dataDir, { recursive: true, force: true })
process.exit(code)
