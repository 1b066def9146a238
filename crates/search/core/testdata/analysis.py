"""Prints the figures that tests of src/gsc/analysis and src/gsc/curve.rs name, as statsmodels and scipy have them.

    python3 -m venv venv && venv/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    venv/bin/python analysis.py
"""

from scipy.optimize import isotonic_regression
from scipy.stats import linregress
from statsmodels.stats.proportion import proportions_ztest

# ctr_gaps: 25 clicks of 400 impressions where 10 % are expected. The spread is that of what is expected.
z_score, _ = proportions_ztest(count=25, nobs=400, value=0.1, prop_var=0.1)
print("z-score", z_score)

# opportunities: 130 of 1,000 where 11 / 70 are expected.
z_score, _ = proportions_ztest(count=130, nobs=1_000, value=11 / 70, prop_var=11 / 70)
print("z-score", z_score)

# decay: clicks of 13 weeks, and of the last four.
clicks = [80, 90, 100, 95, 90, 84, 75, 70, 60, 52, 48, 46, 40]
print("slope", linregress(range(13), clicks).slope)
print("slope", linregress(range(4), clicks[-4:]).slope)

# curve: clicks and impressions by position.
clicks = [3_000, 2_000, 840, 1_450, 700, 240, 10]
impressions = [10_000, 8_000, 3_000, 5_000, 7_000, 2_000, 500]
rates = [of_position / shown for of_position, shown in zip(clicks, impressions)]
print("rates", isotonic_regression(rates, weights=impressions, increasing=False).x)
