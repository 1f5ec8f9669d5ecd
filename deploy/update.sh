#!/bin/sh
# Updates the container to another tag, and goes back if the site isn't ready: deploy/update.sh TAG
# Run it on the host, in the folder with compose.yml. The image has to be there: docs/hosting.md says how to build it.
set -eu
tag=${1:?Name the tag: deploy/update.sh TAG}
cd "$(dirname "$0")"
compose=${COMPOSE:-docker compose}
before=$(sed -n 's/^ALLIANCE_TAG=//p' .env)
before=${before:-slim}

run_tag() {
  { grep -v '^ALLIANCE_TAG=' .env || true; echo "ALLIANCE_TAG=$1"; } > .env.new
  chmod 600 .env.new
  mv .env.new .env
  $compose up -d --no-deps site || return 1
  tries=0
  until $compose exec -T site alliance-ready > /dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt "${PATIENCE:-60}" ] || return 1
    sleep 1
  done
}

echo "Backing up …"
$compose exec -T site alliance backup create --media-apart
if run_tag "$tag"; then
  echo "Updated from $before to $tag."
  exit 0
fi
echo "$tag isn’t ready, so we go back to $before." >&2
run_tag "$before" || echo "$before isn’t ready either. See: $compose logs site" >&2
exit 1
