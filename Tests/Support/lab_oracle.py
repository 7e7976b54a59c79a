#!/usr/bin/env python3
"""Answers of the lab by other people's code, and from the page's formulas in another shape.

    lab_oracle.py < FILE    a JSON object a line in, one a line out

A series is {"kind": "series", "days": [[day, x, y, period], …]}, null where a value is unknown. Answered are the coefficient
and the residuals of the full regression by statsmodels, and the p-value of the cyclic shift test by numpy, a row of a matrix a
shift. Pairs are {"kind": "pairs", "differences": […]}, answered by scipy.stats.permutation_test. A seed is {"kind": "seed",
"seed": n, "count": k}, answered by the first numbers of SplitMix64.
"""

import json
import sys

import numpy
import scipy.stats
import statsmodels.api


def series(days):
    known = sorted((day, x, y, period) for day, x, y, period in days if x is not None and y is not None)
    day = numpy.array([row[0] for row in known])
    x, y = (numpy.array([row[place] for row in known], dtype=float) for place in (1, 2))
    period = numpy.array([row[3] for row in known])
    columns = [numpy.ones(len(day)), day - day[0]]
    columns += [(day % 7 == number).astype(float) for number in range(1, 7)]
    columns += [(period == number).astype(float) for number in sorted(set(period))[1:]]
    # A weekday that is not in the data has no column.
    design = numpy.column_stack([column for column in columns if column.any()])
    effect = statsmodels.api.OLS(y, numpy.column_stack([x, design])).fit().params[0]
    rests = [statsmodels.api.OLS(values, design).fit().resid for values in (x, y)]
    return {"effect": effect, "p": shift(day - day[0], rests[0], rests[1], 0.0),
            "at_effect": shift(day - day[0], rests[0], rests[1], effect),
            "at_half": shift(day - day[0], rests[0], rests[1], effect / 2)}


def shift(place, x, y, slope):
    """NaN marks what is unknown; every shift is a row, and each row's correlation is numpy's own."""
    length = place[-1] + 1
    whole = [numpy.full(length, numpy.nan) for _ in range(2)]
    whole[0][place], whole[1][place] = x, y - slope * x
    rows = numpy.array([numpy.roll(whole[1], number) for number in range(length)])
    found = []
    for row in rows:
        both = ~numpy.isnan(row) & ~numpy.isnan(whole[0])
        a, b = whole[0][both], row[both]
        found.append(abs(numpy.corrcoef(a, b)[0, 1]) if both.sum() >= 3 and a.std() and b.std() else numpy.inf)
    return (1 + sum(value >= found[0] - 1e-12 for value in found[1:])) / length


def pairs(differences):
    tested = scipy.stats.permutation_test(
        (numpy.array(differences), numpy.zeros(len(differences))), lambda a, b, axis: numpy.mean(a - b, axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=numpy.inf, alternative="two-sided")
    return {"effect": float(tested.statistic), "p": float(tested.pvalue)}


def seed(number, count):
    mask, state, found = (1 << 64) - 1, number, []
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        found.append(str(z ^ (z >> 31)))
    return {"numbers": found}


for line in sys.stdin:
    asked = json.loads(line)
    if asked["kind"] == "series":
        answer = series(asked["days"])
    elif asked["kind"] == "pairs":
        answer = pairs(asked["differences"])
    else:
        answer = seed(int(asked["seed"]), asked["count"])
    print(json.dumps(answer), flush=True)
