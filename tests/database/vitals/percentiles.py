"""Writes percentiles.json: samples of views, and what numpy makes of them. Run with numpy 2.

numpy.percentile interpolates linearly by default, as percentile_cont of SQL does.
"""

import json
import pathlib
import random

import numpy

METRICS = {"lcp_ms": 2200, "inp_ms": 120, "cls": 0.06, "fcp_ms": 1300, "ttfb_ms": 500}
PERCENTS = [5, 25, 50, 75, 90, 95, 99]

draw = random.Random(23)
views = []
for number in range(600):
    view = {"country": draw.choice(["DE", "FR"]), "device": draw.choice(["mobile", "desktop", "tablet"])}
    for metric, middle in METRICS.items():
        # Nobody interacts with some views, and most shift nothing.
        missing = metric == "inp_ms" and draw.random() < 0.4
        value = 0.0 if metric == "cls" and draw.random() < 0.3 else middle * draw.lognormvariate(0, 0.8)
        view[metric] = None if missing else round(value, 4)
    views.append(view)


def percentiles(views):
    found = {}
    for metric in METRICS:
        values = [view[metric] for view in views if view[metric] is not None]
        found[metric] = {str(percent): float(numpy.percentile(values, percent)) for percent in PERCENTS}
    return found


def bins(views, metric, width):
    """How many values lie in each of 50 bins, the last of which is open."""
    values = [view[metric] for view in views if view[metric] is not None]
    edges = [width * bin for bin in range(50)] + [float("inf")]
    return [int(count) for count in numpy.histogram(values, edges)[0]]


told = {
    "numpy": numpy.__version__,
    "views": views,
    "all": percentiles(views),
    "mobile": percentiles([view for view in views if view["device"] == "mobile"]),
    "germany": percentiles([view for view in views if view["country"] == "DE"]),
    "germany_lcp_bins": bins([view for view in views if view["country"] == "DE"], "lcp_ms", 250),
}
path = pathlib.Path(__file__).with_name("percentiles.json")
path.write_text(json.dumps(told, separators=(",", ":")) + "\n")
