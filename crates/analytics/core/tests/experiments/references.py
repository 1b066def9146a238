"""Makes references.json: data sets, and what scipy, statsmodels and tfp-causalimpact say of them.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0 tfp-causalimpact==0.2.0 tf_keras
    venv/bin/python references.py

The tests read the file alone; none of these is needed to run them.
"""

import json
from importlib.metadata import version
from pathlib import Path

import causalimpact
import numpy as np
import pandas as pd
import statsmodels.formula.api as smf
from scipy import stats


def shift_interval(pre, post, method):
    """The shifts that the test does not reject at 0.05, found by shifting and testing again between all differences."""
    differences = np.sort(np.subtract.outer(post, pre).ravel())
    edges = np.unique(differences)
    middles = np.concatenate([[edges[0] - 1], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1]])
    tests = [stats.mannwhitneyu(post - shift, pre, alternative="two-sided", method=method) for shift in middles]
    kept = [test.pvalue > 0.05 for test in tests]
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    return [float(edges[max(first - 1, 0)]), float(edges[min(last, len(edges) - 1)])]


def mann_whitney(random):
    samples = {
        "exact, 14 and 7": (random.normal(100, 10, 14), random.normal(112, 10, 7)),
        "exact, 20 and 20": (random.exponential(50, 20), random.exponential(60, 20)),
        "exact, far apart": (random.normal(10, 1, 9), random.normal(30, 1, 8)),
        "normal, 55 and 30": (random.normal(200, 30, 55), random.normal(190, 30, 30)),
        "normal, 21 and 7": (random.normal(0, 1, 21), random.normal(0.3, 1, 7)),
        "ties, 14 and 7": (random.poisson(3, 14).astype(float), random.poisson(5, 7).astype(float)),
        "ties, 56 and 28": (random.poisson(20, 56).astype(float), random.poisson(22, 28).astype(float)),
        "ties, most are 0": (random.binomial(1, 0.2, 40).astype(float), random.binomial(1, 0.4, 30).astype(float)),
    }
    for name, (pre, post) in samples.items():
        method = "exact" if name.startswith("exact") else "asymptotic"
        found = stats.mannwhitneyu(post, pre, alternative="two-sided", method=method)
        has_ties = len(np.unique(np.concatenate([pre, post]))) < len(pre) + len(post)
        yield {
            "name": name,
            "pre": pre.tolist(),
            "post": post.tolist(),
            "u": float(found.statistic),
            "p": float(found.pvalue),
            "shift": float(np.median(np.subtract.outer(post, pre))),
            # With ties a shift changes how many there are, and with that the test.
            "interval": None if has_ties else shift_interval(pre, post, method),
        }


def panel(random, variants, controls, pre, post, effect, trend=0.0, missing=0.0):
    rows = []
    weather = random.normal(0, 5, pre + post)
    for url in range(variants + controls):
        treated = int(url < variants)
        level = random.normal(100, 20)
        for day in range(pre + post):
            after = int(day >= pre)
            value = level + weather[day] + random.normal(0, 8) + effect * treated * after + trend * treated * day
            if random.random() >= missing:
                rows.append((url, day, treated, after, value))
    return pd.DataFrame(rows, columns=["url", "day", "treated", "post", "value"])


def difference(random):
    panels = {
        "by day, an effect": (panel(random, 3, 3, 28, 14, 15), "day"),
        "by day, none": (panel(random, 2, 5, 21, 14, 0), "day"),
        "by url, an effect": (panel(random, 12, 12, 28, 14, 10), "url"),
        "by url, gaps": (panel(random, 10, 14, 20, 10, 5, missing=0.2), "url"),
        "by day, trends apart": (panel(random, 3, 3, 42, 14, 0, trend=1.5), "day"),
    }
    for name, (data, by) in panels.items():
        robust = {"cov_type": "cluster", "cov_kwds": {"groups": data[by], "df_correction": True}, "use_t": True}
        fit = smf.ols("value ~ treated * post", data).fit(**robust)
        before = data[data.post == 0]
        robust["cov_kwds"] = {"groups": before[by], "df_correction": True}
        trends = smf.ols("value ~ treated * day", before).fit(**robust)
        low, high = fit.conf_int().loc["treated:post"]
        yield {
            "name": name,
            "clustered_by": by,
            "rows": data.values.tolist(),
            "estimate": float(fit.params["treated:post"]),
            "standard_error": float(fit.bse["treated:post"]),
            "t": float(fit.tvalues["treated:post"]),
            "degrees_of_freedom": int(data[by].nunique() - 1),
            "p": float(fit.pvalues["treated:post"]),
            "interval": [float(low), float(high)],
            "parallel_trends_p": float(trends.pvalues["treated:day"]),
        }


def series(random, pre, post, effect, noise):
    days = pre + post
    week = np.tile([8.0, 6.0, 3.0, 0.0, -2.0, -9.0, -6.0], days // 7 + 1)[:days]
    control = 100 + np.cumsum(random.normal(0, 1, days)) + week + random.normal(0, 2, days)
    observed = 20 + 1.2 * control + 0.5 * week + random.normal(0, noise, days)
    observed[pre:] += effect
    return observed, control


def bsts(random):
    sets = {
        "an effect": (*series(random, 70, 28, 12, 4), 70),
        "none": (*series(random, 56, 14, 0, 4), 56),
        "a fall, short": (*series(random, 28, 7, -8, 3), 28),
        "a long time": (*series(random, 120, 60, 5, 6), 120),
    }
    for name, (observed, control, pre) in sets.items():
        data = pd.DataFrame({"y": observed, "x": control})
        options = causalimpact.ModelOptions(seasons=[causalimpact.Seasons(num_seasons=7)])
        inference = causalimpact.InferenceOptions(num_results=1000)
        found = causalimpact.fit_causalimpact(
            data, (0, pre - 1), (pre, len(data) - 1), seed=(1, 2), model_options=options, inference_options=inference
        )
        average = found.summary.loc["average"]
        yield {
            "name": name,
            "observed": observed.tolist(),
            "control": control.tolist(),
            "pre": pre,
            "average_effect": float(average["abs_effect"]),
            "interval": [float(average["abs_effect_lower"]), float(average["abs_effect_upper"])],
            "p": float(average["p_value"]),
        }


def main():
    random = np.random.default_rng(20260331)
    packages = ["scipy", "statsmodels", "tfp-causalimpact", "tensorflow-probability", "numpy"]
    references = {
        "made_with": {package: version(package) for package in packages},
        "mann_whitney": list(mann_whitney(random)),
        "difference_in_differences": list(difference(random)),
        "bsts": list(bsts(random)),
    }
    path = Path(__file__).with_name("references.json")
    path.write_text(json.dumps(references, indent=None, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
