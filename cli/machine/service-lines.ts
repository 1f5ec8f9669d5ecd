import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#api/project.ts'
import { thisRelease } from '#api/release.ts'

type Machine = { folder: string; user: string; host: string; port: string }

/** `deploy` has the files as an installed release needs them. */
const readDeployed = (name: string) => readFileSync(join(projectFolder, 'deploy', name), 'utf8')

const proxyLines = (name: string, { host, port, folder }: Machine) =>
  readDeployed(name)
    .replaceAll('alliance.example', host)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('/opt/alliance/current', thisRelease() === null ? folder : '/opt/alliance/current')

export const caddyLines = (machine: Machine) => proxyLines('Caddyfile', machine)
export const nginxLines = (machine: Machine) => proxyLines('nginx.conf', machine)

export const serviceFile = (machine: Machine) =>
  thisRelease() === null ? serviceOfClone(machine) : readDeployed('alliance.service')

// docs/hosting.md has the same lines; a test compares them. A clone builds at its start, so it can't be kept from its own folder.
const serviceOfClone = ({ folder, user }: Machine) => `[Unit]
Description=The Alliance
After=network-online.target
Wants=network-online.target
# It goes on trying: what keeps it from starting, such as a restore under way, may pass.
StartLimitIntervalSec=0

[Service]
User=${user}
WorkingDirectory=${folder}
ExecStart=/usr/bin/env node scripts/start.mjs
Restart=on-failure
RestartSec=5
TimeoutStopSec=20
# The first start installs and builds.
TimeoutStartSec=300

[Install]
WantedBy=multi-user.target
`

/** Restarts a site that runs already, too. */
export const howToStart = () =>
  thisRelease() === null ? 'start the server' : 'sudo systemctl enable alliance && sudo systemctl restart alliance'
