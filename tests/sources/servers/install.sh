#!/usr/bin/env bash
# Installs, into the folder given, the MCP servers and OpenAPI documents of others that tests/sources try.
# What cannot be installed is told; its tests are skipped then.
set -euo pipefail
folder=${1:?"the folder to install into"}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
cd "$folder"

wanted=$(cat "$here/requirements.txt" "$here/package.json" | cksum)
[ "$(cat installed 2>/dev/null || true)" != "$wanted" ] || exit 0

"${PYTHON:-python3}" -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"

if ! command -v npm >/dev/null; then
    echo "npm is missing: the servers written in JavaScript are not installed." >&2
    exit 0
fi
cp "$here/package.json" .
npm install --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error
# Variants of one document that nothing reads, hundreds of megabytes of them.
find node_modules/@octokit/openapi/generated -type f ! -name api.github.com.json -delete
echo "$wanted" >installed
