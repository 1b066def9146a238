"""Makes codes as an app on a phone does, by pyotp: for each line `SECRET SECONDS`, the code of that moment since 1970.

The secret is in base32, in groups as the console shows it.
"""

import sys

import pyotp

for line in sys.stdin:
    secret, seconds = line.strip().rsplit(" ", 1)
    print(pyotp.TOTP(secret.replace(" ", "")).at(int(seconds)), flush=True)
