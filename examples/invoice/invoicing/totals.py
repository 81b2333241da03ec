"""Totals of invoices, in whole cents, so that the order of adding cannot change them."""

from collections import namedtuple

Line = namedtuple("Line", "quantity unit_cents vat_percent")


def net(lines):
    """The sum before value-added tax."""
    return sum(line.quantity * line.unit_cents for line in lines)


def vat(lines):
    """Value-added tax: summed by rate, each rate rounded once, half up."""
    by_rate = {}
    for line in lines:
        by_rate[line.vat_percent] = by_rate.get(line.vat_percent, 0) + line.quantity * line.unit_cents
    return sum((cents * rate + 50) // 100 for rate, cents in by_rate.items())


def total(lines):
    """What the customer pays."""
    return net(lines) + vat(lines)
