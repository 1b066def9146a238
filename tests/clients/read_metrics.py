"""Reads Prometheus' text format from standard input, by the parser of Prometheus' own client library, and prints its
families as JSON. A value that is not a number is null.
"""

import json
import math
import sys

from prometheus_client.parser import text_string_to_metric_families


def number(value: float) -> float | None:
    return value if math.isfinite(value) else None


families = [
    {
        "name": family.name,
        "type": family.type,
        "help": family.documentation,
        "samples": [[sample.name, sample.labels, number(sample.value)] for sample in family.samples],
    }
    for family in text_string_to_metric_families(sys.stdin.read())
]
print(json.dumps(families))
