#!/bin/sh
# Verifies a webhook without a library. Standard input is the body, byte for byte; ID, TIMESTAMP and SIGNATURE are the
# values of the headers webhook-id, webhook-timestamp and webhook-signature.
set -eu

# Whoever recorded a request must not be able to send it again later.
age=$(($(date +%s) - TIMESTAMP))
[ "${age#-}" -le 300 ] || { echo "the webhook is too old or too new" >&2; exit 1; }

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
wanted=$({ printf '%s.%s.' "$ID" "$TIMESTAMP"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

# While a secret is being replaced there are two signatures, with a space between them.
for signature in $SIGNATURE; do
  [ "$signature" = "v1,$wanted" ] && exit 0
done
echo "the signature is not one of our secret" >&2
exit 1
