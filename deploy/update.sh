#!/bin/sh
# Updates the container to another tag, and goes back if the site isn't ready: deploy/update.sh TAG
# Run it on the host, in the folder with compose.yml. The image has to be there: docs/hosting.md says how to build it.
set -eu
tag=${1:?Name the tag: deploy/update.sh TAG}
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}
before=$(sed -n 's/^ALLIANCE_TAG=//p' .env)
before=${before:-slim}

# From Caddy too, which may not reach the new container yet. With a proxy of your own there's no Caddy to ask.
is_ready() {
  $compose exec -T site alliance-ready || return 1
  $compose exec -T caddy true || return 0
  $compose exec -T caddy timeout 5 bash -c 'exec 3<> /dev/tcp/172.30.7.3/3000
    printf "GET /ready HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n" >&3
    head -n 1 <&3 | grep -q " 200"'
}

run_tag() {
  rm -f .env.new
  (umask 077 && { grep -v '^ALLIANCE_TAG=' .env || true; echo "ALLIANCE_TAG=$1"; } > .env.new)
  mv .env.new .env
  $compose up -d --no-deps site || return 1
  tries=0
  until is_ready > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt "${PATIENCE:-60}" ] || return 1
    sleep 1
  done
}

echo "Backing up …"
# A damaged film is named and left out. The rest is backed up, so it doesn’t stop the update.
$compose exec -T site alliance backup create --media-apart --json | grep -q '"file"' || {
  echo "There’s no backup, so we didn’t update." >&2
  exit 1
}
echo "Starting $tag. If it isn’t ready within two minutes or so, we go back to $before."
if run_tag "$tag"; then
  echo "Updated from $before to $tag."
  exit 0
fi
echo "$tag isn’t ready, so we go back to $before." >&2
run_tag "$before" || echo "$before isn’t ready either. See: $compose logs site" >&2
exit 1
