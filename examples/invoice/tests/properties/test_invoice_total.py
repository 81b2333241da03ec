import random

from invoicing.totals import Line, total

# As entropy.yaml pins it.
RNG_SEED = 9173
INVOICES = 200


def random_invoices():
    rng = random.Random(RNG_SEED)
    for _ in range(INVOICES):
        yield [Line(rng.randint(1, 9), rng.randint(1, 9999), rng.choice((7, 19))) for _ in range(rng.randint(1, 8))]


def split(line):
    """The same goods, one line each."""
    return [line._replace(quantity=1)] * line.quantity


def test_total_does_not_depend_on_how_goods_are_put_into_lines():
    for lines in random_invoices():
        assert total(lines) == total([part for line in reversed(lines) for part in split(line)])
