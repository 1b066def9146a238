"""Serves Amazon S3 as moto plays it, with signatures and permissions checked, and prints a line of JSON: its port, the name of
a bucket, the id of a key that may do everything in it, and that key. It ends with its standard input.
"""

import json
import sys

import boto3
from moto import settings
from moto.server import ThreadedMotoServer

BUCKET = "pharos-artefacts"
REGION = "us-east-1"

server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
_, port = server.get_host_and_port()


def client(service: str):
    return boto3.client(
        service,
        endpoint_url=f"http://127.0.0.1:{port}",
        region_name=REGION,
        aws_access_key_id="setup",
        aws_secret_access_key="setup",
    )


client("s3").create_bucket(Bucket=BUCKET)
iam = client("iam")
iam.create_user(UserName="pharos")
policy = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Action": "s3:*",
            "Resource": [f"arn:aws:s3:::{BUCKET}", f"arn:aws:s3:::{BUCKET}/*"],
        }
    ],
}
iam.put_user_policy(UserName="pharos", PolicyName="artefacts", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="pharos")["AccessKey"]
# From here on whoever asks has to sign, and to be allowed.
settings.INITIAL_NO_AUTH_ACTION_COUNT = 0

print(
    json.dumps({"port": port, "bucket": BUCKET, "id": key["AccessKeyId"], "secret": key["SecretAccessKey"]}),
    flush=True,
)
sys.stdin.read()
