"""Writes baselines.json: series, with their median and their scaled median absolute deviation by SciPy.

Run it with SciPy 1.17 at hand: python baselines.py > baselines.json
"""

import json

import numpy
from scipy.stats import median_abs_deviation

generator = numpy.random.default_rng(20260110)


def series():
    for length in (4, 5, 8, 12):
        yield "response times", generator.lognormal(5.5, 0.4, length).round(3)
        yield "response times with an outage", numpy.append(generator.lognormal(5.5, 0.4, length - 1).round(3), 30_000.0)
        yield "availability", (100 - generator.exponential(0.2, length)).round(4)
        yield "counts with ties", generator.poisson(3, length).astype(float)
        yield "changes of both signs", generator.normal(0, 25, length).round(3)
    yield "nearly all the same", numpy.array([100.0, 100.0, 100.0, 101.0, 250.0])
    yield "very large", numpy.array([1e12, 3e12, 2e12, 9e12, 4e12])
    yield "very small", numpy.array([1e-9, 3e-9, 2e-9, 9e-9])


rows = [
    {
        "name": name,
        "values": values.tolist(),
        "centre": float(numpy.median(values)),
        "spread": float(median_abs_deviation(values, scale="normal")),
    }
    for name, values in series()
]
print("[\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "\n]")
