type Place = { folder: string; user: string; host: string; port: string }

// docs/hosting.md has the same lines; a test compares them.

export const serviceFile = ({ folder, user }: Place) => `[Unit]
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

export const caddyLines = ({ host, port }: Place) => `${host} {
  reverse_proxy 127.0.0.1:${port}
}
`

export const nginxLines = ({ host, port }: Place) => `server {
  listen 443 ssl;
  server_name ${host};
  # Your own certificate, without which nginx does not start; certbot puts it here.
  ssl_certificate /etc/letsencrypt/live/${host}/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/${host}/privkey.pem;
  # Pictures and posts of up to 20 MB; nginx takes 1 MB by itself.
  client_max_body_size 21m;
  location / {
    proxy_pass http://127.0.0.1:${port};
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  }
}
`
